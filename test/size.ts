/** How much a test does: `npm test` shows in minutes that the kind of fault is survived, `npm run test:full` as often as the figures in docs/reliability.md say. */
export const isFull = process.env.TEST_SIZE === 'full'

/** The number of rounds, inputs or clients: the first in `npm test`, the second in `npm run test:full`. */
export const sized = (short: number, full: number) => (isFull ? full : short)
