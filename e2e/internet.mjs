// Loaded into a server with --import. The tests' identity provider then seems to be on the public internet, and connections to it
// arrive at this machine.
import { Resolver } from "node:dns/promises";
import { Socket } from "node:net";

const HOST = "login.provider.example";

Resolver.prototype.resolve4 = async (name) => (name === HOST ? ["9.9.9.9"] : []);
Resolver.prototype.resolve6 = async () => [];

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  // net.connect passes a list on, and tls.connect its options.
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (options?.host === HOST) options.host = "127.0.0.1";
  return connect.apply(this, args);
};
