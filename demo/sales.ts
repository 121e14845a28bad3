// Six weeks of sales of the demo shop: one receipt for each visit, newest first.
import type { DemoReceipt } from './record.ts'

const anna = { name: 'Anna Keller', email: 'anna@example.com' }
const amara = { name: 'Amara Okafor', email: 'amara@example.com' }
const yuki = { name: 'Yuki Tanaka', email: 'yuki@example.com' }
const rosa = { name: 'Rosa Marchetti', email: 'rosa@example.com' }
const jonas = { name: 'Jonas Lindqvist', email: 'jonas@example.com' }
const henry = { name: 'Henry Boateng', email: 'henry@example.com' }
const clara = { customerId: 'clara' }
const mateo = { customerId: 'mateo' }
const ingrid = { customerId: 'ingrid' }
const guest = { name: 'Market guest' }

const line = (itemId: string, salePriceCents: number) => ({ itemId, salePriceCents })

export const receipts: DemoReceipt[] = [
  { tag: 'demo-28', daysAgo: 0.1, buyer: guest, lines: [line('sunflower-coaster', 900), line('porch-key-chain', 1100)] },
  { tag: 'demo-27', daysAgo: 0.6, buyer: henry, lines: [line('after-rain-rainbow', 4400)] },
  { tag: 'demo-26', daysAgo: 1.2, buyer: { name: 'Leila Haddad', email: 'leila@example.com' }, lines: [line('market-day-net-bag', 3800)] },
  { tag: 'demo-25', daysAgo: 2.3, buyer: anna, lines: [line('raindrop-earrings', 2000), line('tiny-rainbow-earrings', 1900)] },
  { tag: 'demo-24', daysAgo: 3.1, buyer: mateo, lines: [line('captains-tassel-key-chain', 800)] },
  { tag: 'demo-23', daysAgo: 4.4, buyer: { name: 'Tom Baker' }, lines: [line('picnic-bottle-bag', 2400)] },
  {
    tag: 'demo-22',
    daysAgo: 5.2,
    buyer: rosa,
    lines: [line('little-fan-earrings', 1800), line('parade-tassel-garland', 3000), line('little-hearts-garland', 2800)],
  },
  {
    tag: 'demo-21',
    daysAgo: 6.5,
    buyer: { name: 'Sophie Laurent', email: 'sophie@example.com' },
    lines: [line('two-storey-plant-hanger', 5600)],
  },
  { tag: 'demo-20', daysAgo: 7.3, buyer: guest, lines: [line('sweetheart-coaster', 1200), line('sweetheart-coaster', 1200)] },
  { tag: 'demo-19', daysAgo: 8.6, buyer: amara, lines: [line('sunday-layers-wall-hanging', 14000)] },
  {
    tag: 'demo-18',
    daysAgo: 10.2,
    buyer: { name: 'Piotr Nowak', email: 'piotr@example.com' },
    lines: [line('spiral-stair-plant-hanger', 3200)],
  },
  { tag: 'demo-17', daysAgo: 11.7, buyer: jonas, lines: [line('bathroom-fern-hanger', 3600), line('morning-light-plant-hanger', 3400)] },
  { tag: 'demo-16', daysAgo: 13.4, buyer: yuki, lines: [line('market-day-net-bag', 3800)] },
  { tag: 'demo-15', daysAgo: 14.1, buyer: clara, lines: [line('helter-skelter-key-chain', 1000), line('scalloped-tea-coaster', 1100)] },
  { tag: 'demo-14', daysAgo: 15.8, buyer: { name: 'Grace Miller' }, lines: [line('found-feather-key-chain', 800)] },
  {
    tag: 'demo-13',
    daysAgo: 17.5,
    buyer: { name: 'Nadia Petrova', email: 'nadia@example.com' },
    lines: [line('diamond-shoulder-bag', 7500)],
  },
  { tag: 'demo-12', daysAgo: 20.2, buyer: ingrid, lines: [line('quiet-night-dream-catcher', 3800)] },
  { tag: 'demo-11', daysAgo: 21.6, buyer: guest, lines: [line('porch-key-chain', 1000), line('pocket-heart-key-chain', 1300)] },
  {
    tag: 'demo-10',
    daysAgo: 23.3,
    buyer: { name: 'Daniel Fischer', email: 'daniel@example.com' },
    lines: [line('long-valley-wall-hanging', 9520)],
  },
  { tag: 'demo-09', daysAgo: 25.4, buyer: anna, lines: [line('wooden-handle-tote', 6900), line('sunday-hoop-earrings', 2200)] },
  {
    tag: 'demo-08',
    daysAgo: 27.1,
    buyer: { name: 'Lucia Gomez', email: 'lucia@example.com' },
    lines: [line('string-of-pearls-hanger', 3120)],
  },
  { tag: 'demo-07', daysAgo: 29.8, buyer: guest, lines: [line('corner-table-coaster', 750), line('corner-table-coaster', 750)] },
  { tag: 'demo-06', daysAgo: 31.5, buyer: { name: 'Oliver Grant' }, lines: [line('fisher-net-wall-hanging', 6500)] },
  {
    tag: 'demo-05',
    daysAgo: 33.2,
    buyer: { name: 'Emily Chen', email: 'emily@example.com' },
    lines: [line('new-moon-wall-hanging', 9600)],
  },
  { tag: 'demo-04', daysAgo: 36.7, buyer: clara, lines: [line('olive-branch-garland', 3200), line('windowsill-aloe-hanger', 2600)] },
  { tag: 'demo-03', daysAgo: 39.4, buyer: amara, lines: [line('bucket-bag-with-tassels', 8600)] },
  { tag: 'demo-02', daysAgo: 42.3, buyer: jonas, lines: [line('daisy-dream-catcher', 3960)] },
  { tag: 'demo-01', daysAgo: 44.6, buyer: yuki, lines: [line('beech-leaf-earrings', 1700), line('tango-tassel-earrings', 1300)] },
]
