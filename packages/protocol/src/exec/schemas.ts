/** Every schema of the exec protocol. */
export {};
