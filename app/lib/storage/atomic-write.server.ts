import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes the entries of a folder to disk, so that a power loss removes no new file. Windows writes the entries by itself, and cannot open a folder. */
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

/** Writes the file `draft` and then renames it to `path`, so that readers never find an incomplete file, even after a crash. The two paths must be in the same file system. */
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
