import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { ServiceUnavailableError, isOutage } from './outages.server.ts'

const coded = (code: string) => Object.assign(new Error('it failed'), { code })
const ofSqlite = (errcode: number) => Object.assign(coded('ERR_SQLITE_ERROR'), { errcode })

function failureOf(query: string) {
  const db = new DatabaseSync(':memory:')
  try {
    db.exec(
      `create table t (id integer primary key, word text not null); pragma query_only = on; ${query}`,
    )
  } catch (error) {
    return error
  } finally {
    db.close()
  }
}

test('distinguishes temporary outages from programming errors [S-262]', () => {
  const outages = [
    ...[5, 261, 517, 6, 8, 10, 1034, 13, 14].map(ofSqlite),
    ...[
      'ENOSPC',
      'EROFS',
      'EIO',
      'ECONNREFUSED',
      'ECONNRESET',
      'ETIMEDOUT',
      '57P01',
      '57P03',
      '08006',
      '53300',
      '25006',
    ].map(coded),
    ...[
      new Error('Connection terminated unexpectedly'),
      new ServiceUnavailableError('a moment ago'),
      new DOMException('late', 'TimeoutError'),
    ],
    ...[
      Object.assign(new Error('slow down'), { httpStatus: 503 }),
      new Error('outer', { cause: coded('EPIPE') }),
    ],
    new AggregateError([coded('ECONNREFUSED')]),
    failureOf(`insert into t values (1, 'a')`),
  ]
  for (const [at, error] of outages.entries()) expect(isOutage(error), `${at}`).toBe(true)
  const mistakes = [
    ...[1, 11, 19, 1299, 26].map(ofSqlite),
    ...['23505', '42P01', '40P01', '22P02', 'ENOENT', 'EEXIST', 'ERR_INVALID_URL'].map(coded),
    ...[
      new Error('A bug'),
      new TypeError('x is not a function'),
      Object.assign(new Error('no'), { httpStatus: 403 }),
    ],
    ...[null, undefined, 'ENOSPC', 503],
    failureOf('select nothing from t'),
  ]
  for (const [at, error] of mistakes.entries()) expect(isOutage(error), `${at}`).toBe(false)
})
