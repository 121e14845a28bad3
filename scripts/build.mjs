import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesUnder } from './files.mjs'
import { environment, giveUp, root, run, step } from './run.mjs'

const sources = [
  'app',
  'server',
  'db',
  'demo',
  'public',
  'vite.config.ts',
  'react-router.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]
const stamp = join(root, 'build', '.stamp')
const product = join(root, 'build', 'server', 'index.js')

export async function build(bin) {
  const digest = digestOf(filesUnder(sources))
  if (isBuiltFrom(digest)) return
  rmSync(stamp, { force: true })
  const env = environment(bin, { NODE_ENV: 'production' })
  const code = await step('Building', () =>
    run('react-router', ['build', '--logLevel', 'error'], env),
  )
  if (code !== 0) giveUp(`The build failed (${code}), see above.`, code)
  mkdirSync(join(root, 'build'), { recursive: true })
  writeFileSync(stamp, digest) // The stamp is written last, so that a killed build is repeated.
}

/** Hashes contents instead of times, because a Git checkout changes the times. */
function digestOf(files) {
  const hash = createHash('sha256')
  for (const file of files.filter((name) => !/\.(test\.tsx?|avif)$/.test(name))) {
    const content = readFileSync(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * If the build is newer than its stamp file, someone built it without this script, so its sources
 * are unknown.
 */
function isBuiltFrom(digest) {
  try {
    return (
      readFileSync(stamp, 'utf8') === digest && statSync(product).mtimeMs <= statSync(stamp).mtimeMs
    )
  } catch {
    return false
  }
}
