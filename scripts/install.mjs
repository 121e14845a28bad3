// Installs the packages of the lock file, unless just these are there already.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, giveUp, npm, root } from './run.mjs'

const modules = join(root, 'node_modules')
const stamp = join(modules, '.lock-stamp')

export async function install(bin) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const digest = createHash('sha256').update(lock).digest('hex')
  if (read(stamp) === digest || isLink(modules)) return
  if (!holds(lock)) {
    console.log('Installing the packages of package-lock.json.')
    rmSync(stamp, { force: true })
    const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
    const code = await npm(['ci', ...flags], environment(bin))
    if (code === 127) giveUp('npm was not found. It comes with Node; install both, and start again.', code)
    if (code !== 0)
      giveUp(`npm ci ended with ${code}, see above. The first start needs a connection to npm's registry (or npm's cache).`, code)
  }
  writeFileSync(stamp, digest)
}

/** Whether npm itself, called by hand, has just installed this very lock file, with everything meant for this machine. */
function holds(lock) {
  const installed = JSON.parse(read(join(modules, '.package-lock.json')) ?? '{"packages":{}}').packages
  const wanted = Object.entries(JSON.parse(lock).packages).filter(([path]) => path !== '')
  return wanted.every(([path, entry]) =>
    installed[path] ? installed[path].version === entry.version : entry.optional && !isForHere(entry),
  )
}

function isForHere({ os, cpu, libc }) {
  return os?.includes(process.platform) && cpu?.includes(process.arch) && (libc?.includes('glibc') ?? true)
}

/** A link leads to somebody else's folder: never install into it. */
function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
