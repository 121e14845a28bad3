/** Compares docs/states.md with the state tables in the code. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { availabilityTransitions } from '#catalog/availability.ts'
import { creditTransitions } from '#credits/credit.ts'
import { offerTransitions } from '#offers/offer.ts'
import { parcelTransitions } from '#parcels/parcel.ts'
import { paymentTransitions } from '#payments/payment.ts'
import { queueTransitions } from '#production-queue/queue.ts'

type Transition = { by?: string; from: string | readonly string[]; to: string }
type Machine = {
  title: string
  about: string
  file: string
  first: string
  transitions: Record<string, Transition>
}

const machines: Machine[] = [
  {
    title: 'Offer',
    about:
      'A conversation has at most one offer that the customer can accept. An offer begins when the owner sends it.',
    file: 'app/features/offers/offer.ts',
    first: 'sent',
    transitions: offerTransitions,
  },
  {
    title: 'Availability of a one-of-a-kind item',
    about:
      'An item is on hold for one conversation, and every action of another conversation is refused. A hold also ends when its customer deletes the account. Undoing a sale does not change a hold.',
    file: 'app/features/catalog/availability.ts',
    first: 'available',
    transitions: availabilityTransitions,
  },
  {
    title: 'Step in the production queue',
    about:
      'Each line of an accepted offer is a piece in the queue, until the owner hands it over or cancels the agreement. When the owner ships the parcel, all remaining pieces become handed over, regardless of their step.',
    file: 'app/features/production-queue/queue.ts',
    first: 'waiting',
    transitions: queueTransitions,
  },
  {
    title: 'Payment',
    about:
      'The owner records what is paid for an accepted offer, and can undo the last payment, also if a sale at another price has changed the state. An offer without a deposit is paid in one payment.',
    file: 'app/features/payments/payment.ts',
    first: 'unpaid',
    transitions: paymentTransitions,
  },
  {
    title: 'Parcel',
    about: 'An accepted offer that is shipped has one parcel.',
    file: 'app/features/parcels/parcel.ts',
    first: 'no-address',
    transitions: parcelTransitions,
  },
  {
    title: 'Credit',
    about:
      'A testimony earns a credit, which its writer uses by accepting an offer with it. If the owner cancels this agreement, or deletes its conversation before a piece of it is sold, the credit is open again.',
    file: 'app/features/credits/credit.ts',
    first: 'open',
    transitions: creditTransitions,
  },
]

/** In Mermaid, the id of a state has no hyphen. */
const idOf = (state: string) => state.replaceAll('-', '_')
const arrowsOf = ({ transitions }: Machine) =>
  Object.entries(transitions).flatMap(([action, { by = 'owner', from, to }]) =>
    [from].flat().map((one) => ({ action, by, from: one, to })),
  )
const statesOf = (machine: Machine) => [
  ...new Set([machine.first, ...arrowsOf(machine).flatMap(({ from, to }) => [from, to])]),
]

function draw(machine: Machine): string {
  const arrows = arrowsOf(machine)
  const final = statesOf(machine).filter((state) =>
    arrows.every(({ from, to }) => from !== state || to === state),
  )
  return [
    'stateDiagram-v2',
    ...statesOf(machine).flatMap((state) =>
      state.includes('-') ? `  state "${state.replaceAll('-', ' ')}" as ${idOf(state)}` : [],
    ),
    `  [*] --> ${idOf(machine.first)}`,
    ...arrows.map(
      ({ action, by, from, to }) => `  ${idOf(from)} --> ${idOf(to)}: ${action} (${by})`,
    ),
    ...final.map((state) => `  ${idOf(state)} --> [*]`),
  ].join('\n')
}

const intro = `# States

Each diagram draws one table in the code. An arrow is an action, with who acts in parentheses: the customer, the owner, or time. Every other action in a state is refused, and the refusal says why. A test compares this file with the tables, and its message says how to write the file again.`

const document = [
  intro,
  ...machines.map(
    (machine) =>
      `## ${machine.title}\n\n${machine.about} Table: \`${machine.file}\`.\n\n\`\`\`mermaid\n${draw(machine)}\n\`\`\``,
  ),
].join('\n\n')

test('the diagrams in docs/states.md match the state tables in the code [AGREE-80]', async () => {
  const command = 'npx vitest run --project shop test/integration/states.test.ts --update'
  await expect(
    `${document}\n`,
    `If the tables are right, this command writes docs/states.md: ${command}`,
  ).toMatchFileSnapshot('../../docs/states.md')
})

test('docs/states.md has a diagram for every state table in the code [AGREE-80]', () => {
  const hasTable = (file: string) =>
    /^export const \w+Transitions\b/m.test(readFileSync(file, 'utf8'))
  const files = globSync('app/**/*.{ts,tsx}').filter(hasTable)
  expect(files.toSorted()).toEqual(machines.map(({ file }) => file).toSorted())
})

test('every state of a state table can be reached from the first state of the table', () => {
  for (const machine of machines) {
    const reached = new Set([machine.first])
    for (const { from, to } of Array(9).fill(arrowsOf(machine)).flat()) {
      if (reached.has(from)) reached.add(to)
    }
    expect(statesOf(machine).filter((state) => !reached.has(state))).toEqual([])
  }
})
