// Runs other programs for the npm scripts. Their output goes to the same terminal. A signal that
// interrupts this process is passed on to the running program.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const windows = process.platform === 'win32'

export function environment(bin, more = {}) {
  const { Path, PATH = Path, ...rest } = process.env
  return { ...rest, PATH: [bin, join(root, 'node_modules', '.bin'), PATH].join(delimiter), ...more }
}

/**
 * As in a shell, the exit code is 128 + n if signal n ended the program, and 127 if the program
 * does not exist.
 */
export function run(program, args, env = process.env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, env, stdio: 'inherit', shell: windows })
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    const passOn = (signal) => child.kill(signal)
    const end = (code) => {
      for (const signal of signals) process.off(signal, passOn)
      resolve(code)
    }
    for (const signal of signals) process.on(signal, passOn)
    child.on('error', () => end(127))
    child.on('close', (code, signal) => end(signal ? 128 + constants.signals[signal] : (code ?? 1)))
  })
}

export function npm(args, env = process.env) {
  const started = process.env.npm_execpath ?? ''
  return /npm-cli\.c?js$/.test(started)
    ? run('node', [started, ...args], env)
    : run('npm', args, env)
}

/** When somebody kills npm, the shop would otherwise continue and block its port. */
export function leaveWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGTERM'), 250).unref()
}

export async function step(name, work) {
  console.log(`${name} …`)
  const begun = performance.now()
  const result = await work()
  console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  return result
}

export function giveUp(reason, code = 1) {
  console.error(`\n${reason}\n`)
  process.exit(code)
}
