// Remembers with which files `npm test` passed, so that `npm run test:full` need not repeat it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './run.mjs'

const recordIn = (folder) => join(folder, '.cache', 'tests', 'passed-files.txt')

export function hashOfFiles(folder = root) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { status, stdout } = spawnSync('git', args, { cwd: folder, maxBuffer: 1e8 })
  if (status !== 0) return undefined
  const hash = createHash('sha256').update(`${process.version} ${process.platform}\0`)
  for (const file of String(stdout).split('\0').toSorted()) {
    const path = join(folder, file)
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) continue
    const content = readFileSync(path)
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Does nothing if the files have changed since `hash` was computed before the tests. */
export function rememberPassed(hash, folder = root) {
  if (hash === undefined || hash !== hashOfFiles(folder)) return
  mkdirSync(dirname(recordIn(folder)), { recursive: true })
  writeFileSync(recordIn(folder), hash)
}

export function hasPassed(hash, folder = root) {
  try {
    return hash !== undefined && readFileSync(recordIn(folder), 'utf8') === hash
  } catch {
    return false
  }
}
