/**
 * The system calls a confined process does without, as a program for the kernel's filter. Closes what mounts and
 * namespaces leave open: sockets of the file system and of the machine (which reach programs outside), typing into
 * the terminal of the caller, the session's keys, and the ring that would go around the filter. Pure.
 */
import { endianness } from "node:os";

interface Numbers {
  readonly architecture: number;
  /** Calls of another binary interface have this bit; 0: there is none. */
  readonly foreignBit: number;
  readonly socket: number;
  readonly socketpair: number;
  readonly ioctl: number;
  readonly denied: readonly number[];
}

/** io_uring_setup, _enter and _register have one number everywhere. */
const RING = [425, 426, 427];

const NUMBERS: Readonly<Record<string, Numbers>> = {
  x64: {
    architecture: 0xc000003e,
    foreignBit: 0x40000000,
    socket: 41,
    socketpair: 53,
    ioctl: 16,
    denied: [...RING, 248, 249, 250],
  },
  arm64: {
    architecture: 0xc00000b7,
    foreignBit: 0,
    socket: 198,
    socketpair: 199,
    ioctl: 29,
    denied: [...RING, 217, 218, 219],
  },
};

const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** IPv4, IPv6 and netlink: they end at the network namespace. */
const NETWORK_FAMILIES = [2, 10, 16];
const SOCK_DGRAM = 2;

const LOAD = 0x20;
const AND = 0x54;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const REFUSE = 0x00050001; // as EPERM

/** Offsets into what the kernel shows the filter; arguments are little-endian halves. */
const CALL = 0;
const ARCHITECTURE = 4;
const argument = (index: number) => 16 + 8 * index;

type Label = "next" | "allow" | "refuse" | "socket" | "socketpair" | "ioctl";
interface Instruction {
  readonly code: number;
  readonly value: number;
  readonly yes?: Label;
  readonly no?: Label;
  /** Where jumps to this name lead. */
  readonly label?: Label;
}

/** undefined: no filter is known for this machine. `network`: whether the process shares the machine's network. */
export function seccompFilter(network: boolean, arch: string = process.arch): Buffer | undefined {
  const numbers = NUMBERS[arch];
  if (numbers === undefined || endianness() !== "LE") return undefined;
  const is = (value: number, yes: Label, no: Label = "next"): Instruction => ({
    code: JUMP_EQUAL,
    value,
    yes,
    no,
  });
  const sockets = network ? [] : [is(numbers.socket, "socket"), is(numbers.socketpair, "socketpair")];
  return assemble([
    { code: LOAD, value: ARCHITECTURE },
    is(numbers.architecture, "next", "refuse"),
    { code: LOAD, value: CALL },
    ...(numbers.foreignBit === 0
      ? []
      : [{ code: JUMP_AT_LEAST, value: numbers.foreignBit, yes: "refuse", no: "next" } as const]),
    ...numbers.denied.map((call) => is(call, "refuse")),
    ...sockets,
    is(numbers.ioctl, "ioctl", "allow"),
    { code: LOAD, value: argument(0), label: "socket" },
    ...NETWORK_FAMILIES.map((family) => is(family, "allow")),
    { code: RETURN, value: REFUSE, label: "refuse" },
    { code: LOAD, value: argument(1), label: "socketpair" },
    { code: AND, value: 0xf },
    is(SOCK_DGRAM, "refuse", "allow"),
    { code: LOAD, value: argument(1), label: "ioctl" },
    is(TIOCSTI, "refuse"),
    is(TIOCLINUX, "refuse", "allow"),
    { code: RETURN, value: ALLOW, label: "allow" },
  ]);
}

/** Jumps only lead forward: a name that lies behind gets its instruction again at the end. */
function assemble(program: readonly Instruction[]): Buffer {
  const all: Instruction[] = [...program, { code: RETURN, value: REFUSE, label: "refuse" }];
  const bytes = Buffer.alloc(all.length * 8);
  const distance = (from: number, label: Label | undefined) => {
    if (label === undefined || label === "next") return 0;
    return all.findIndex((each, at) => at > from && each.label === label) - from - 1;
  };
  for (const [at, { code, value, yes, no }] of all.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(distance(at, yes), at * 8 + 2);
    bytes.writeUInt8(distance(at, no), at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}
