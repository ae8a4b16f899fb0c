// Loaded into a server. Shifts its wall clock by the milliseconds that its parent process sends, but not timers and `performance`.
const { now } = Date;
let shift = 0;
Date.now = () => now() + shift;
globalThis.Date = new Proxy(Date, {
  construct: (target, input, made) => Reflect.construct(target, input.length > 0 ? input : [target.now()], made),
  apply: (target) => new target(target.now()).toString(),
});
process.on("message", ({ shiftClock }) => {
  shift = shiftClock ?? shift;
});
// Waiting for messages must not keep a stopped server alive.
process.channel?.unref();
