import { awaitWithinPatience } from "@/lib/db/patience";
import { outsideRequests } from "@/lib/http/request";

/** How many quick calls run at the same time. While the database answers one, the process handles the requests of the other. */
const MOST_CALLS = 2;
/** In milliseconds. A call that takes longer no longer counts toward MOST_CALLS. */
const HOLD_MS = 100;
/** How long a question may wait, in milliseconds. */
const WAIT_MS = 2_000;

interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/**
 * Answers many questions with one call. A question gets its answer from a call that began after it was asked, so the answer
 * is as fresh as that of a call of its own. The more questions there are, the less each costs.
 * @param askAll answers in the order of the questions. If it fails, it fails for all of them, and a promise among the answers fails
 * for its own question
 */
export function inTurns<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  let calls = 0;
  let isDue = false;

  const next = () => {
    isDue = false;
    if (waiting.length === 0 || calls === MOST_CALLS) return;
    calls++;
    const turn = waiting;
    waiting = [];
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      calls--;
      next();
    };
    const timer = setTimeout(end, HOLD_MS);
    // Not within the patience of the request that happened to be first.
    outsideRequests(() => askAll(turn.map(({ question }) => question)))
      .then(
        (answers) => {
          for (const [index, { resolve, reject }] of turn.entries()) {
            const answer = answers[index] as Answer | Promise<Answer>;
            if (answer instanceof Promise) answer.then(resolve, reject);
            else resolve(answer);
          }
          return Promise.allSettled(answers.filter((answer) => answer instanceof Promise));
        },
        (error: Error) => {
          for (const { reject } of turn) reject(error);
          return [];
        },
      )
      .finally(end);
  };
  return (question) =>
    awaitWithinPatience(WAIT_MS, (resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (isDue || calls === MOST_CALLS) return;
      isDue = true;
      // Requests that arrived together share a call.
      setImmediate(next);
    });
}
