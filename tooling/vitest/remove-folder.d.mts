/** Removes a folder, again and again for about five seconds while something appears in it. */
export declare function removeFolder(folder: string): Promise<void>;
