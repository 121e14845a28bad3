import { expect, test } from 'vitest'
import { ABOUT_LINEAR, growthOf } from '#test/fixtures/cpu-time.ts'
import { createLog, type LogLevel } from './log.server.ts'
import { runWithRequestContext } from './request-context.server.ts'

function logged(work: (log: ReturnType<typeof createLog>) => void, level: LogLevel = 'info') {
  const lines: [Record<string, string>, boolean][] = []
  let errors = 0
  work(
    createLog({
      level,
      write: (line, isError) => lines.push([JSON.parse(line), isError]),
      onError: () => (errors += 1),
    }),
  )
  return { lines, errors, first: lines[0]?.[0] ?? {} }
}

test('writes each entry as one line of JSON, and writes errors to standard error with their stack and cause', () => {
  const { lines, errors } = logged((log) => {
    log.info('all is well', { count: 3 })
    log.error('it broke', new TypeError('no\nsuch thing', { cause: new Error('the wind') }), {
      attempt: 1,
    })
    log.error('it broke again', undefined)
  })
  expect(lines.map(([line, isError]) => [line.level, line.message, isError])).toEqual([
    ['info', 'all is well', false],
    ['error', 'it broke', true],
    ['error', 'it broke again', true],
  ])
  expect(lines[0]![0]).toEqual({
    level: 'info',
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    count: 3,
    message: 'all is well',
  })
  expect(lines[1]![0].error).toMatch(
    /^TypeError: no\nsuch thing\n +at [\s\S]*\ncaused by Error: the wind\n/,
  )
  expect(errors).toBe(2)
})

test('omits entries below LOG_LEVEL, but counts errors even if they are omitted', () => {
  const say = (log: ReturnType<typeof createLog>) => {
    log.info('hello')
    log.error('ouch', new Error('ouch'))
  }
  const of = (level: LogLevel) => logged(say, level)
  expect(
    (['debug', 'info', 'error', 'silent'] as const).map((level) => of(level).lines.length),
  ).toEqual([2, 2, 1, 0])
  expect(of('silent').errors).toBe(1)
})

test('adds the request id and the route to entries that are logged during an HTTP request', () => {
  const { lines } = logged((log) => {
    runWithRequestContext(
      { address: '203.0.113.9', requestId: 'abc', findRoute: () => '/item/:itemid' },
      () => log.info('hello'),
    )
    log.info('alone')
  })
  expect(lines.map(([{ requestId, route }]) => [requestId, route])).toEqual([
    ['abc', '/item/:itemid'],
    [undefined, undefined],
  ])
  expect(JSON.stringify(lines)).not.toContain('203.0.113.9')
})

test('removes email addresses, passwords, query strings, verification codes and typed text from log entries', () => {
  const details = { severity: 'ERROR', code: '22P02', detail: 'typed' }
  const postgres = Object.assign(
    new Error('invalid input syntax for type bigint: "typed"'),
    details,
  )
  const json = () => {
    try {
      JSON.parse('typed words')
    } catch (error) {
      return error
    }
  }
  const parts: unknown[] = [
    new Error('550 <typed@mail.test>: no such mailbox'),
    new Error('fetch failed at https://shop.test/confirm-email/?code=typed'),
    new Error('connect postgres://me:typed@db:5432/shop'),
    new Error('the code 0TYP-ED00-1234-5678-9ABC-DEFG-HJKM is old'),
    postgres,
    json(),
    new Error('outer', { cause: postgres }),
  ]
  for (const error of parts) {
    const { first } = logged((log) =>
      log.error('it broke', error, {
        email: 'typed',
        to: 'typed',
        nested: { name: 'typed', path: '/x?typed' },
      }),
    )
    expect(JSON.stringify(first), String(error)).not.toMatch(/typed|0TYP/)
    expect(first.error).toMatch(/at /)
  }
  expect(logged((log) => log.info('sent to typed@mail.test')).first.message).toBe('sent to [email]')
})

test('removes email addresses quickly, even from a text that is made to slow down pattern matching', async () => {
  const hostileSigns = ['@', 'a', '/', '.', 'a@', '@.', '://', 'a://', '"', '?', 'A-']
  const logAll = (size: number) => {
    for (const sign of hostileSigns) {
      const text = sign.repeat(size)
      logged((log) => log.error(text, new SyntaxError(text), { said: text }))
    }
  }
  expect(await growthOf(logAll, 2000)).toBeLessThan(ABOUT_LINEAR)
  for (const [text, masked] of [
    ['to=ann@mail.test,', 'to=[email],'],
    ['<ann@mail.test>', '<[email]>'],
    ['a@b@mail.test', '[email]'],
    ['@ alone, and at@home', '@ alone, and at@home'],
  ]) {
    expect(logged((log) => log.info(text!)).first.message).toBe(masked)
  }
})
