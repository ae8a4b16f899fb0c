import type { Read } from "./versions";

/** In one statement, which may not take longer than one for a single question. */
export const MOST_TOGETHER = 4;

interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Answers with one statement what requests that share a snapshot (`readTogether`) ask at the same time. If the statement fails, each
 * asks again alone, so that `readTogether` opens a snapshot for it.
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
      // After everything that the same answer of PostgreSQL has set off.
      process.nextTick(send, read);
    });
}
