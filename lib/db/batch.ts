import type { Read } from "./versions";

interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Answers with one statement what requests that share a snapshot (`readTogether`) ask at the same time.
 * @param askAll answers in the order of the questions. If it fails, it fails for all of them
 */
export function batched<Question, Answer>(
  askAll: (read: Read, questions: readonly Question[]) => Promise<readonly Answer[]>,
): (read: Read, question: Question) => Promise<Answer> {
  const batches = new WeakMap<Read, Waiting<Question, Answer>[]>();
  const send = (read: Read) => {
    const batch = batches.get(read) ?? [];
    batches.delete(read);
    askAll(
      read,
      batch.map(({ question }) => question),
    ).then(
      (answers) => {
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error);
      },
    );
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
