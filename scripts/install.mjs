// Installs the packages of the lock file if they are missing: either all packages, or only the
// packages that the shop needs to build and run.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, giveUp, npm, root, step } from './run.mjs'

const modules = join(root, 'node_modules')
const stamp = join(modules, '.lock-stamp')

export async function install(bin, { hasDev = true } = {}) {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const digest = createHash('sha256').update(lock).digest('hex')
  const [installed, sets] = read(stamp)?.split(' ') ?? []
  if ((installed === digest && (sets === 'all' || !hasDev)) || isLink(modules)) return
  if (!holds(lock, hasDev)) {
    // If the installed packages match this lock file, npm deletes no package, because a running
    // shop may still load code from the installed packages.
    const command = installed === digest ? ['install', '--no-save'] : ['ci']
    rmSync(stamp, { force: true })
    const flags = [
      `--${hasDev ? 'include' : 'omit'}=dev`,
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--loglevel=error',
    ]
    const code = await step('Installing packages', () =>
      npm([...command, ...flags], environment(bin)),
    )
    if (code === 127) {
      giveUp('npm was not found. It comes with Node; install both, and start again.', code)
    }
    if (code !== 0) {
      giveUp(
        `npm ${command[0]} ended with ${code}, see above. The first start needs a connection to npm's registry (or npm's cache).`,
        code,
      )
    }
  }
  writeFileSync(stamp, `${digest} ${hasDev ? 'all' : 'run'}`)
}

function holds(lock, hasDev) {
  const installed = JSON.parse(
    read(join(modules, '.package-lock.json')) ?? '{"packages":{}}',
  ).packages
  const wanted = Object.entries(JSON.parse(lock).packages).filter(
    ([path, entry]) => path !== '' && (hasDev || !entry.dev),
  )
  return wanted.every(([path, entry]) =>
    installed[path]
      ? installed[path].version === entry.version
      : entry.optional && !isForHere(entry),
  )
}

function isForHere({ os, cpu, libc }) {
  return (
    os?.includes(process.platform) &&
    cpu?.includes(process.arch) &&
    (libc?.includes('glibc') ?? true)
  )
}

/** A link points to the folder of another clone, into which this script must not install. */
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
