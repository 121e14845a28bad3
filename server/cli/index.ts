import { parseArgs } from 'node:util'
import { readEnv, type Env } from '#lib/config/env.server.ts'
import { describeStartupError } from '../startup-errors.ts'
import type { Command } from './command.ts'

const commands: Record<string, () => Promise<{ command: Command }>> = {
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  import: () => import('./import.ts'),
  'db-copy': () => import('./db-copy.ts'),
  admin: () => import('./admin.ts'),
  'sync-storage': () => import('./sync-storage.ts'),
}

const isLocked = (error: unknown) => {
  const { code, errcode } = error as { code?: string; errcode?: number }
  return code === 'ERR_SQLITE_ERROR' && errcode === 5
}

const alreadyOpenText = ({ dataDir }: Env) =>
  `Another process uses the shop in ${dataDir}. Stop it first (Ctrl+C in the terminal of npm start), and start it again afterwards. Nothing was changed.`

async function main([name = '', ...args]: string[]) {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) return fail(`The commands are: ${Object.keys(commands).join(', ')}`)
  const { usage, options, run } = (await load()).command
  let input
  try {
    input = parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean' } },
    })
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`)
  }
  const { values, positionals } = input
  let env: Env | undefined
  try {
    env = readEnv(process.env)
    const code = values.help ? null : await run(env, values, positionals)
    if (code === null) console.log(usage)
    return code ?? (values.help ? 0 : 1)
  } catch (error) {
    return fail(isLocked(error) ? alreadyOpenText(env!) : describeStartupError(error, env))
  }
}

function fail(message: string) {
  console.error(message)
  return 1
}

process.exitCode = await main(process.argv.slice(2))
