/** The library's own hashing, each answer worked out once: a hash takes longer than most tests, and nearly all people in them have the same password. */
import { hashPassword, verifyPassword } from 'better-auth/crypto'

const hashes = new Map<string, Promise<string>>()
const verdicts = new Map<string, Promise<boolean>>()

const remembered = <T>(answers: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> => {
  const answer = answers.get(key) ?? work()
  answers.set(key, answer)
  return answer
}

export const rememberedPasswords = {
  hash: (password: string) => remembered(hashes, password, () => hashPassword(password)),
  verify: ({ hash, password }: { hash: string; password: string }) =>
    remembered(verdicts, `${hash} ${password}`, () => verifyPassword({ hash, password })),
}
