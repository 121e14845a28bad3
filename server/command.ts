/** What the commands beside the shop share: settings, paths as the person typed them, and one line when something is wrong. */
import { resolve } from 'node:path'
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { readEnv, type Env } from '../app/platform/env.server.ts'
import { reasonOf } from './start-failure.ts'

/** npm runs commands in the project's folder; people type paths from where they are. */
export const typedPath = (path: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), path)

/** A mistyped option is answered with what there is, not with a stack. */
export function readArguments<T extends ParseArgsConfig>(usage: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(1)
  }
}

/** `work` gives the exit code. */
export async function runCommand(work: (env: Env) => Promise<number>): Promise<void> {
  let env: Env | undefined
  try {
    env = readEnv(process.env)
    process.exitCode = await work(env)
  } catch (error) {
    console.error(isLocked(error) ? openElsewhere(env!) : reasonOf(error, env))
    process.exitCode = 1
  }
}

/** SQLITE_BUSY: another process has the database open, the shop itself most likely. */
const isLocked = (error: unknown) =>
  (error as { code?: string; errcode?: number }).code === 'ERR_SQLITE_ERROR' && (error as { errcode?: number }).errcode === 5

const openElsewhere = ({ dataDir }: Env) =>
  `The shop in ${dataDir} is open in another process. Stop it first (Ctrl+C where npm start runs), and start it again afterwards. Nothing was changed.`
