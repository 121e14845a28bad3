import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A directory entry must reach the disk, too. Windows does this by itself, and cannot open a folder. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

export async function ensureFolder(path: string, mode = 0o777): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode })
  if (first === undefined) return
  for (let made = path; ; made = dirname(made)) {
    await syncFolder(dirname(made))
    if (made === first || made === dirname(made)) return
  }
}

/** Writes to `draft` in the same file system and renames it, so that neither a reader nor a crash leaves half a file. */
export async function writeFileAtomic(
  path: string,
  bytes: Uint8Array | string,
  { draft = `${path}.part`, mode = 0o666 } = {},
): Promise<void> {
  try {
    const file = await open(draft, 'w', mode)
    await file
      .writeFile(bytes)
      .then(() => file.sync())
      .finally(() => file.close())
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(dirname(path))
}
