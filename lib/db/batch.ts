import type { Read } from "./versions";

/** Questions in one statement. All of them share the time limit of one question. */
export const MOST_TOGETHER = 4;

interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Combines questions that requests in one snapshot (`readTogether`) ask at the same time into one statement. If the statement fails,
 * each question is asked again alone. That fails too, because PostgreSQL has ended the snapshot, so `readTogether` runs each request
 * again in its own.
 * @param askAll answers in the order of the questions
 */
export function batched<Question, Answer>(
  askAll: (read: Read, questions: readonly Question[]) => Promise<readonly Answer[]>,
): (read: Read, question: Question) => Promise<Answer> {
  const batches = new WeakMap<Read, Waiting<Question, Answer>[]>();
  const answer = async (read: Read, batch: readonly Waiting<Question, Answer>[]): Promise<void> => {
    try {
      const questions = batch.map(({ question }) => question);
      const answers = await askAll(read, questions);
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const one of batch) void answer(read, [one]);
    }
  };
  const send = (read: Read) => {
    const all = batches.get(read) ?? [];
    batches.delete(read);
    for (let index = 0; index < all.length; index += MOST_TOGETHER)
      void answer(read, all.slice(index, index + MOST_TOGETHER));
  };
  return (read, question) =>
    new Promise((resolve, reject) => {
      const batch = batches.get(read);
      if (batch) {
        batch.push({ question, resolve, reject });
        return;
      }
      batches.set(read, [{ question, resolve, reject }]);
      // Waits until all code that the same result has resumed has asked.
      process.nextTick(send, read);
    });
}
