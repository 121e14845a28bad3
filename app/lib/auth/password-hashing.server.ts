/** Limits concurrent hashes, because they use the four threads with which Node also reads files. */
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { createSemaphore } from '../jobs/semaphore.ts'

export const MAX_CONCURRENT_HASHES = 2

export const passwordHashing = { hash: hashPassword, verify: verifyPassword }
export type PasswordHashing = typeof passwordHashing

export function limitHashing({ hash, verify }: PasswordHashing): PasswordHashing {
  const { take, release } = createSemaphore(MAX_CONCURRENT_HASHES)
  async function inTurn<Result>(work: () => Promise<Result>) {
    await take()
    return work().finally(release)
  }
  return {
    hash: (password) => inTurn(() => hash(password)),
    verify: (input) => inTurn(() => verify(input)),
  }
}
