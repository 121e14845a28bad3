import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Keeps new files of the folder after a power loss. Windows cannot open a folder. */
export async function syncFolder(path: string) {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

export async function ensureFolder(path: string, mode = 0o777) {
  const first = await mkdir(path, { recursive: true, mode })
  if (first === undefined) return
  for (let folder = path; ; folder = dirname(folder)) {
    await syncFolder(dirname(folder))
    if (folder === first || folder === dirname(folder)) return
  }
}

/** Readers never find an incomplete file. `draft` must be in the same file system. */
export async function writeFileAtomic(
  path: string,
  bytes: Uint8Array | string,
  { draft = `${path}.part`, mode = 0o666 } = {},
) {
  try {
    await writeFile(draft, bytes, { mode, flush: true })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(dirname(path))
}
