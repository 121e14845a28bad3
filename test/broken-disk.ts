/** A disk that breaks on demand under one process: a library put before the C library, made by gcc. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** full: ENOSPC · readonly: EROFS, as after errors=remount-ro · io: EIO while writing · fsync: EIO while flushing · folder: the same for folders alone */
export type DiskState = 'well' | 'full' | 'readonly' | 'io' | 'fsync' | 'folder'

export function openBrokenDisk(dataDir: string) {
  const folder = mkdtempSync(join(tmpdir(), 'broken-disk-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [library, state] = [join(folder, 'broken-disk.so'), join(folder, 'state')]
  const source = fileURLToPath(new URL('faults/broken-disk.c', import.meta.url))
  const made = spawnSync('gcc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(made.stderr)
  const set = (next: DiskState) => writeFileSync(state, next)
  set('well')
  return { env: { LD_PRELOAD: library, FAULT_FILE: state, FAULT_DIR: dataDir }, set }
}
