// Items for the rooms of the demo shop's customers: plant hangers and coasters.
import { picture, soldOutPicture, type DemoItem } from './record.ts'

export const plantHangers: DemoItem[] = [
  {
    id: 'morning-light-plant-hanger',
    name: 'Morning Light Plant Hanger',
    categoryId: 'plant-hangers',
    priceCents: 3400,
    description:
      'Four square-knot arms carry a pot of up to eighteen centimetres. The ring is turned from beech and the tail ends in a full, even tassel. Your pothos will thank you for the window seat.',
    width: '18 cm',
    soleType: '',
    size: '105 cm long',
    design: { kind: 'plant-hanger', sinnet: 'square', plant: 'pothos', pot: '#c9785a', tiers: 1 },
    pictures: [
      picture('front', 'natural-cream'),
      picture('detail', 'natural-cream'),
      picture('room', 'natural-cream'),
      picture('front', 'forest-green'),
    ],
  },
  {
    id: 'spiral-stair-plant-hanger',
    name: 'Spiral Stair Plant Hanger',
    categoryId: 'plant-hangers',
    priceCents: 3200,
    description:
      'The arms twist like a spiral stair because I make only the first half of every square knot. Simple, strong and a little hypnotic when it turns. Made for tall, stiff plants that need a firm hold.',
    width: '16 cm',
    soleType: '',
    size: '100 cm long',
    design: { kind: 'plant-hanger', sinnet: 'spiral', plant: 'snake-plant', pot: '#e9e2d6', tiers: 1 },
    pictures: [picture('front', 'mustard'), picture('detail', 'mustard'), picture('front', 'charcoal')],
  },
  {
    id: 'string-of-pearls-hanger',
    name: 'String of Pearls Hanger',
    categoryId: 'plant-hangers',
    priceCents: 3900,
    description:
      'A wooden bead sits between every few knots, so the hanger looks dressed even before the plant grows in. It is short on purpose: trailing plants need the room below. Holds a pot of twelve to sixteen centimetres.',
    width: '16 cm',
    soleType: '',
    size: '80 cm long',
    discount: { type: 'percent', value: 2000 },
    design: { kind: 'plant-hanger', sinnet: 'beaded', plant: 'pearls', pot: '#8fa08a', tiers: 1 },
    pictures: [picture('front', 'dusty-rose'), picture('detail', 'dusty-rose'), picture('room', 'dusty-rose')],
  },
  {
    id: 'two-storey-plant-hanger',
    name: 'Two Storey Plant Hanger',
    categoryId: 'plant-hangers',
    priceCents: 5600,
    description:
      'Two pots, one over the other, for small flats with big windows. The upper arms are spirals, the lower ones square knots, and both cradles close with a tight wrap. Please use a ceiling hook that is screwed into wood.',
    width: '16 cm',
    soleType: '',
    size: '150 cm long',
    design: { kind: 'plant-hanger', sinnet: 'square', plant: 'fern', pot: '#d9cbb4', tiers: 2 },
    pictures: [picture('front', 'oatmeal'), picture('room', 'oatmeal')],
  },
  {
    id: 'bathroom-fern-hanger',
    name: 'Bathroom Fern Hanger',
    categoryId: 'plant-hangers',
    priceCents: 3600,
    description:
      'Ferns love steam, and this cord does not mind it: it dries within a morning. A wide cradle lets the fronds spill on all sides. I add a spare hook to every parcel.',
    width: '20 cm',
    soleType: '',
    size: '95 cm long',
    design: { kind: 'plant-hanger', sinnet: 'spiral', plant: 'fern', pot: '#6f8f95', tiers: 1 },
    pictures: [picture('front', 'snow-white'), picture('detail', 'snow-white'), picture('front', 'teal')],
  },
  {
    id: 'windowsill-aloe-hanger',
    name: 'Windowsill Aloe Hanger',
    categoryId: 'plant-hangers',
    priceCents: 2600,
    description:
      'A small hanger for a small pot, an aloe or whatever lived on your windowsill until the sill was full. Beads hold the arms apart so the leaves keep their shape. A good first piece of macrame to own.',
    width: '11 cm',
    soleType: '',
    size: '65 cm long',
    design: { kind: 'plant-hanger', sinnet: 'beaded', plant: 'aloe', pot: '#b86b4b', tiers: 1 },
    pictures: [picture('front', 'sky-blue'), picture('front', 'terracotta'), soldOutPicture('front', 'burgundy')],
  },
]

export const coasters: DemoItem[] = [
  {
    id: 'sunflower-coaster',
    name: 'Sunflower Coaster',
    categoryId: 'coasters',
    priceCents: 900,
    description:
      'Round and close-knotted, with a short fringe all the way round like the rays a child draws. One cup fits with room for a biscuit. Wash by hand and dry flat.',
    width: '12 cm',
    soleType: '',
    size: '12 cm across',
    design: { kind: 'coaster', shape: 'round' },
    pictures: [picture('front', 'mustard'), picture('room', 'mustard'), picture('detail', 'mustard'), picture('front', 'natural-cream')],
  },
  {
    id: 'set-of-four-striped-coasters',
    name: 'Set of Four Striped Coasters',
    categoryId: 'coasters',
    priceCents: 3200,
    description:
      'Four coasters whose rings change colour from the middle outwards. I make each set in one sitting from the same cone, so the four belong together. They come tied with a ribbon of leftover cord.',
    width: '11 cm',
    soleType: 'Cork',
    size: '11 cm across, set of 4',
    design: { kind: 'coaster', shape: 'striped' },
    pictures: [
      picture('side', 'natural-cream', 'terracotta'),
      picture('room', 'natural-cream', 'terracotta'),
      picture('front', 'snow-white', 'teal'),
    ],
  },
  {
    id: 'scalloped-tea-coaster',
    name: 'Scalloped Tea Coaster',
    categoryId: 'coasters',
    priceCents: 1100,
    description:
      'The edge is a row of small loops, like the rim of a pie. It keeps its shape because the last round is pulled very tight. Made for the good cup, the one you do not lend.',
    width: '13 cm',
    soleType: '',
    size: '13 cm across',
    design: { kind: 'coaster', shape: 'scalloped' },
    pictures: [picture('front', 'dusty-rose'), picture('room', 'dusty-rose'), picture('front', 'sage-green')],
  },
  {
    id: 'corner-table-coaster',
    name: 'Corner Table Coaster',
    categoryId: 'coasters',
    priceCents: 1000,
    description:
      'Square, flat and fringed on two sides, like a very small rug. Rows of half hitches make it thick enough for a hot pot of tea. It also makes a fine place for keys.',
    width: '12 cm',
    soleType: 'Cork',
    size: '12 x 14 cm',
    discount: { type: 'percent', value: 2500 },
    design: { kind: 'coaster', shape: 'square' },
    pictures: [
      picture('front', 'oatmeal', 'rust'),
      picture('detail', 'oatmeal', 'rust'),
      picture('front', 'natural-cream', 'forest-green'),
    ],
  },
  {
    id: 'sweetheart-coaster',
    name: 'Sweetheart Coaster',
    categoryId: 'coasters',
    priceCents: 1200,
    description:
      'A heart for the table, knotted from the middle outwards in rounds that slowly find their shape. It is usually bought in pairs. Somebody once framed one, and it looked very well.',
    width: '13 cm',
    soleType: '',
    size: '13 x 12 cm',
    design: { kind: 'coaster', shape: 'heart' },
    pictures: [picture('front', 'terracotta'), picture('room', 'terracotta')],
  },
]
