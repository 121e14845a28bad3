import { expect, test } from 'vitest'
import { createAuth } from './auth.server.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { MAX_CONCURRENT_HASHES } from '#lib/auth/password-hashing.server.ts'

test('the passwords of logins and new passwords are hashed in the order of their arrival, two at a time, even after a hash has failed', async () => {
  const begun: string[] = []
  const end: PromiseWithResolvers<void>[] = []
  const wait = (password: string) => {
    begun.push(password)
    const ending = Promise.withResolvers<void>()
    end.push(ending)
    return ending.promise
  }
  const { db, dialect } = await openTestShop()
  const auth = createAuth({
    db,
    dialect,
    secret: 'x'.repeat(32),
    publicUrl: null,
    password: {
      hash: (password) => wait(password).then(() => 'a hash'),
      verify: ({ password }) => wait(password).then(() => true),
    },
  })
  const { password } = await auth.$context
  const names = Array.from({ length: 10 }, (_, at) => `password ${at}`)
  const done = Promise.allSettled(
    names.map((name, at) =>
      at % 2 === 0 ? password.hash(name) : password.verify({ hash: 'a hash', password: name }),
    ),
  )
  for (let at = 0; at < names.length; at++) {
    await expect.poll(() => begun).toEqual(names.slice(0, at + MAX_CONCURRENT_HASHES))
    if (at === 3) end[at]!.reject(new Error('the hash failed'))
    else end[at]!.resolve()
  }
  const results = await done
  expect(results.map(({ status }) => status)).toEqual(
    names.map((_, at) => (at === 3 ? 'rejected' : 'fulfilled')),
  )
})
