/** The version of Turnkit, as it is told to servers and written into session files. */
export const VERSION = "0.1.0";
