/** Node's four threads also read files: many concurrent hashes would delay all visitors. */
import { hashPassword, verifyPassword } from 'better-auth/crypto'

export const MAX_CONCURRENT_HASHES = 2

export const passwordHashing = { hash: hashPassword, verify: verifyPassword }
export type PasswordHashing = typeof passwordHashing

export function limitHashing({ hash, verify }: PasswordHashing): PasswordHashing {
  const waiting: (() => void)[] = []
  let running = 0
  async function inTurn<Result>(work: () => Promise<Result>) {
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
    verify: (input) => inTurn(() => verify(input)),
  }
}
