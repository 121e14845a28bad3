/** A command beside the shop, as npm would run it; nothing of the surroundings' settings gets in. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { compiled } from './open-process.ts'

export function startCommand(
  name: 'import' | 'admin' | 'backup' | 'restore' | 'db-copy',
  args: readonly string[],
  env: Record<string, string>,
) {
  const child = spawn(process.execPath, ['server/cli/index.ts', name, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compiled,
      NODE_ENV: 'production',
      OWNER_EMAIL: 'owner@example.com',
      OWNER_PASSWORD: 'owner-password',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += String(text)))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, printed }))
  return { ended, kill: () => child.kill('SIGKILL'), printed: () => printed }
}

export const runCommand = (...command: Parameters<typeof startCommand>) => startCommand(...command).ended
