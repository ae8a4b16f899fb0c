// npm run check: the fast checks. ESLint takes as long as the others together, so they run at the same time.
import { join } from "path";
import { checkNode, prepare } from "./setup.mjs";
import { main, root, run, stopRunning } from "./steps.mjs";

const check = (program, ...args) =>
  run(join(root, "node_modules/.bin", program), args, {
    // Much of the work is collecting garbage. With more room for new objects, it is an eighth less.
    env: { NODE_OPTIONS: `${process.env.NODE_OPTIONS || ""} --max-semi-space-size=128`.trim() },
    failure: `${program} found problems. Fix those listed above.`,
  });

async function inTurn(...checks) {
  for (const [program, ...args] of checks) await check(program, ...args);
}

main(async () => {
  checkNode();
  await prepare();
  await check("biome", "check", ".");
  try {
    await Promise.all([
      check("eslint", "."),
      inTurn(["tsc", "--noEmit"], ["depcruise", ".", "--output-type", "err-long"], ["knip"], ["tsx", "tools/words.ts"]),
    ]);
  } finally {
    stopRunning();
  }
});
