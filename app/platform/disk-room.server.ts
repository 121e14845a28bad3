import { statfs } from 'node:fs/promises'

/** Bytes; null where the system does not say. */
export async function readRoom(folder: string): Promise<{ free: number; all: number } | null> {
  const found = await statfs(folder).catch(() => null)
  return found && found.blocks > 0 ? { free: found.bavail * found.bsize, all: found.blocks * found.bsize } : null
}
