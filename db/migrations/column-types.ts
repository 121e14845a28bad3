import type { Dialect } from '../schema.ts'

export const dialectTypes = {
  sqlite: { bool: 'integer', date: 'date', counter: 'integer' },
  postgres: { bool: 'boolean', date: 'timestamptz', counter: 'bigserial' },
}
export type ColumnTypes = (typeof dialectTypes)[Dialect]

export const flag = (name: string, start: 0 | 1) => `"${name}" integer not null default ${start} check ("${name}" in (0, 1))`
