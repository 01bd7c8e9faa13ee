/**
 * A program of a few hundred bytes that sets how two signals are taken and becomes another program. Shell and `env` do
 * the same and cost several milliseconds a command, since each is loaded and linked before it can start. Pure: owns
 * the bytes; `launcher.ts` makes a file of them.
 *
 * Its arguments: `1`, two paths to open as descriptors 250 and 251, and what to become; or `0` and what to become,
 * where descriptor 251 is closed. What to become is the path of a program, then its name and arguments. `1` makes it
 * ignore SIGINT and SIGQUIT, `0` gives them their defaults back. It ends with 127 when the program is not there, with
 * 126 when anything else fails.
 */
import { endianness } from "node:os";

const FAILED = "turnkit: the program cannot be started in the sandbox\n";

/** x86-64: the bytes of each instruction, and what it is. */
const X64 = [
  // The arguments' count lies where the stack begins, then their addresses, 0, and those of the environment.
  ["48 89 e3", "mov rbx, rsp"],
  ["48 8b 43 10", "mov rax, [rbx+16]"],
  ["0f b6 28", "movzx ebp, byte [rax]"],
  ["83 ed 30", "sub ebp, '0'             ; the handler: 0 is SIG_DFL, 1 is SIG_IGN"],
  ["31 d2", "xor edx, edx"],
  ["52", "push rdx                 ; what to do about a signal: a mask,"],
  ["52", "push rdx                 ; a way back,"],
  ["52", "push rdx                 ; flags,"],
  ["55", "push rbp                 ; and the handler"],
  ["48 89 e6", "mov rsi, rsp"],
  ["6a 08", "push 8"],
  ["41 5a", "pop r10"],
  ["6a 02", "push 2                   ; SIGINT"],
  ["5f", "pop rdi"],
  ["6a 0d", "push 13                  ; rt_sigaction"],
  ["58", "pop rax"],
  ["0f 05", "syscall"],
  ["6a 03", "push 3                   ; SIGQUIT"],
  ["5f", "pop rdi"],
  ["6a 0d", "push 13                  ; rt_sigaction"],
  ["58", "pop rax"],
  ["0f 05", "syscall"],
  ["4c 8d 73 18", "lea r14, [rbx+24]        ; the second argument"],
  ["41 bc fa 00 00 00", "mov r12d, 250"],
  ["85 ed", "test ebp, ebp"],
  ["74 31", "je inner"],
  ["49 8b 3e", "again: mov rdi, [r14]"],
  ["be 00 00 08 00", "mov esi, 0x80000         ; O_RDONLY, O_CLOEXEC"],
  ["6a 02", "push 2                   ; open"],
  ["58", "pop rax"],
  ["0f 05", "syscall"],
  ["85 c0", "test eax, eax"],
  ["78 3e", "js failed"],
  ["89 c7", "mov edi, eax"],
  ["44 89 e6", "mov esi, r12d"],
  ["6a 21", "push 33                  ; dup2"],
  ["58", "pop rax"],
  ["0f 05", "syscall"],
  ["85 c0", "test eax, eax"],
  ["78 30", "js failed"],
  ["49 83 c6 08", "add r14, 8"],
  ["41 ff c4", "inc r12d"],
  ["41 81 fc fc 00 00 00", "cmp r12d, 252"],
  ["72 d1", "jb again"],
  ["eb 0a", "jmp become"],
  ["bf fb 00 00 00", "inner: mov edi, 251"],
  ["6a 03", "push 3                   ; close"],
  ["58", "pop rax"],
  ["0f 05", "syscall"],
  ["49 8b 3e", "become: mov rdi, [r14]"],
  ["49 8d 76 08", "lea rsi, [r14+8]"],
  ["48 8b 03", "mov rax, [rbx]"],
  ["48 8d 54 c3 10", "lea rdx, [rbx+rax*8+16]  ; the environment"],
  ["6a 3b", "push 59                  ; execve"],
  ["58", "pop rax"],
  ["0f 05", "syscall"],
  ["89 c5", "failed: mov ebp, eax"],
  ["6a 02", "push 2                   ; stderr"],
  ["5f", "pop rdi"],
  ["48 8d 35 17 00 00 00", "lea rsi, [rip+message]"],
  ["6a 36", "push 54                  ; the length of the message"],
  ["5a", "pop rdx"],
  ["6a 01", "push 1                   ; write"],
  ["58", "pop rax"],
  ["0f 05", "syscall"],
  ["6a 7e", "push 126"],
  ["5f", "pop rdi"],
  ["83 fd fe", "cmp ebp, -2              ; ENOENT"],
  ["75 02", "jne end"],
  ["ff c7", "inc edi"],
  ["6a 3c", "end: push 60             ; exit"],
  ["58", "pop rax"],
  ["0f 05", "syscall"],
] as const;

const HEADER = 64;
const SEGMENT = 56;
const ADDRESS = 0x400000n;

/** The whole program as an ELF file; undefined: there is none for this machine. */
export function launcherProgram(platform: string = process.platform, arch: string = process.arch): Buffer | undefined {
  if (platform !== "linux" || arch !== "x64" || endianness() !== "LE") return undefined;
  const code = Buffer.concat([
    Buffer.from(X64.map(([bytes]) => bytes.replaceAll(" ", "")).join(""), "hex"),
    Buffer.from(FAILED),
  ]);
  const size = BigInt(HEADER + SEGMENT + code.length);
  const header = Buffer.alloc(HEADER + SEGMENT);
  header.write("7f454c46020101", "hex"); // ELF, 64 bits, little-endian, version 1
  header.writeUInt16LE(2, 16); // executable
  header.writeUInt16LE(62, 18); // x86-64
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(ADDRESS + BigInt(HEADER + SEGMENT), 24); // where it begins
  header.writeBigUInt64LE(BigInt(HEADER), 32); // where its one segment is described
  header.writeUInt16LE(HEADER, 52);
  header.writeUInt16LE(SEGMENT, 54);
  header.writeUInt16LE(1, 56);
  header.writeUInt32LE(1, HEADER); // to be loaded
  header.writeUInt32LE(5, HEADER + 4); // to be read and run
  header.writeBigUInt64LE(ADDRESS, HEADER + 16);
  header.writeBigUInt64LE(ADDRESS, HEADER + 24);
  header.writeBigUInt64LE(size, HEADER + 32);
  header.writeBigUInt64LE(size, HEADER + 40);
  header.writeBigUInt64LE(0x1000n, HEADER + 48);
  return Buffer.concat([header, code]);
}
