import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { runWithRequestContext } from '../telemetry/request-context.server.ts'
import { createPriorityMutex } from './priority-mutex.ts'

test('runs one image task at a time, the owner’s uploads before other uploads, and background work last', async () => {
  const { first, soon, later, hasHung } = createPriorityMutex()
  const order: string[] = []
  const task = (name: string) => async () => {
    order.push(`${name} starts`)
    await Promise.resolve()
    order.push(`${name} ends`)
  }
  await Promise.all([
    later(task('running')),
    later(task('variant')),
    soon(task('chat')),
    first(task('owner')),
  ])
  expect(order).toEqual(
    ['running', 'owner', 'chat', 'variant'].flatMap((name) => [`${name} starts`, `${name} ends`]),
  )
  expect(hasHung()).toBe(false)
})

test('of two waiting uploads, first runs the one of the address whose earlier uploads took less time, without counting background work [S-412]', async () => {
  const { soon, later } = createPriorityMutex()
  const order: string[] = []
  const upload = (address: string) =>
    runWithRequestContext({ address }, () => soon(async () => void order.push(address)))
  const background = runWithRequestContext({ address: 'other' }, () =>
    later(async () => void gzipSync(Buffer.alloc(20_000_000))),
  )
  const flood = Array.from({ length: 5 }, () => upload('flood'))
  await flood[0]
  await Promise.all([background, ...flood, upload('other')])
  expect(order).toEqual(['flood', 'flood', 'other', 'flood', 'flood', 'flood'])
})

test('a task that never ends fails after a timeout, and then the next waiting task runs', async () => {
  const { soon, hasHung } = createPriorityMutex(1)
  const hanging = soon(() => new Promise<never>(() => {}))
  const next = soon(async () => 'done')
  await expect(hanging).rejects.toThrow('did not end within 1 ms')
  expect(await next).toBe('done')
  expect(hasHung()).toBe(true)
})
