/** Limits how many passwords are hashed at the same time. Node hashes them in the threads that also read files and compress pages, so many logins would otherwise delay all visitors. */
import { hashPassword, verifyPassword } from 'better-auth/crypto'

/** Node has four of these threads. */
export const MAX_CONCURRENT_HASHES = 2

export const passwordHashing = { hash: hashPassword, verify: verifyPassword }
export type PasswordHashing = typeof passwordHashing

/** Returns the same functions, but further calls wait in order while MAX_CONCURRENT_HASHES are running. */
export function limitHashing({ hash, verify }: PasswordHashing): PasswordHashing {
  const waiting: (() => void)[] = []
  let running = 0
  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < MAX_CONCURRENT_HASHES) running += 1
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
  return {
    hash: (password) => inTurn(() => hash(password)),
    verify: (given) => inTurn(() => verify(given)),
  }
}
