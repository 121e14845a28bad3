// The people of the demo shop: three customers with their conversations, and the writers of testimonials.
import type { DemoCustomer, DemoTestimonial } from './record.ts'

const day = 24 * 60

export const customers: DemoCustomer[] = [
  {
    id: 'clara',
    name: 'Clara Whitfield',
    email: 'clara@example.com',
    password: 'knots-and-love',
    favouriteItemIds: ['three-diamonds-wall-hanging', 'morning-light-plant-hanger', 'parade-tassel-garland'],
    conversation: {
      itemIds: ['three-diamonds-wall-hanging', 'morning-light-plant-hanger'],
      soldItemIds: [],
      isClosed: false,
      messages: [
        {
          from: 'customer',
          text: 'Hello! I love the three diamonds. Could you make it in sage green, for a wall of about 60 cm? You reach me here or at clara@example.com.',
          minutesAgo: 2 * day + 310,
          isReadByOther: true,
        },
        {
          from: 'owner',
          text: 'Hello Clara, how nice! Sage is on the shelf. At 45 cm it would leave you a hand of wall on both sides, which looks right to me. Shall I keep that width?',
          minutesAgo: 2 * day + 255,
          isReadByOther: true,
        },
        { from: 'customer', text: 'Yes please, 45 cm is perfect. How long would it take?', minutesAgo: 2 * day + 120, isReadByOther: true },
        {
          from: 'owner',
          text: 'I can start on Thursday and post it on Monday. I will send you a photograph before it leaves.',
          minutesAgo: 2 * day + 60,
          isReadByOther: true,
        },
        {
          from: 'customer',
          text: 'Wonderful. I have also put the Morning Light hanger on my list, in natural cream. One parcel for both?',
          minutesAgo: 185,
          isReadByOther: false,
        },
      ],
    },
  },
  {
    id: 'mateo',
    name: 'Mateo Rivera',
    email: 'mateo@example.com',
    password: 'knots-and-love',
    favouriteItemIds: ['set-of-four-striped-coasters', 'captains-tassel-key-chain'],
    conversation: {
      itemIds: ['set-of-four-striped-coasters', 'captains-tassel-key-chain'],
      soldItemIds: ['captains-tassel-key-chain'],
      isClosed: false,
      messages: [
        {
          from: 'customer',
          text: 'Good evening, do the striped coasters stand a hot teapot? They are a present for my mother, she likes it hot.',
          minutesAgo: 5 * day + 400,
          isReadByOther: true,
        },
        {
          from: 'owner',
          text: 'Good evening Mateo! A cup always, a teapot for a while: they have a cork sole. For your mother I would add a fifth one as a gift.',
          minutesAgo: 5 * day + 330,
          isReadByOther: true,
        },
        {
          from: 'customer',
          text: 'That is very kind. Then the set, and the navy tassel key chain for myself. I can pick the key chain up at the market.',
          minutesAgo: 4 * day + 610,
          isReadByOther: true,
        },
        {
          from: 'owner',
          text: 'It was good to meet you today, I hope the keys like their tassel. The coasters will be ready on Friday.',
          minutesAgo: 3 * day + 90,
          isReadByOther: true,
        },
        { from: 'customer', text: 'They do! Friday suits me well.', minutesAgo: 3 * day + 40, isReadByOther: true },
        {
          from: 'owner',
          text: 'Small news: I ran out of terracotta for the last ring and the new cone comes tomorrow. Saturday instead, is that all right?',
          minutesAgo: 95,
          isReadByOther: false,
        },
      ],
    },
  },
  {
    id: 'ingrid',
    name: 'Ingrid Solberg',
    email: 'ingrid@example.com',
    password: 'knots-and-love',
    favouriteItemIds: ['market-day-net-bag', 'first-snow-star-garland', 'quiet-night-dream-catcher', 'little-fan-earrings'],
    conversation: {
      itemIds: ['quiet-night-dream-catcher'],
      soldItemIds: ['quiet-night-dream-catcher'],
      isClosed: true,
      messages: [
        {
          from: 'customer',
          text: 'Hei! Is the dream catcher safe above a cot? My niece arrives in May.',
          minutesAgo: 24 * day + 500,
          isReadByOther: true,
        },
        {
          from: 'owner',
          text: 'Congratulations to the aunt! Please hang it out of reach: the bead is small. Above the changing table it is fine, and it gets a turning breeze there.',
          minutesAgo: 24 * day + 420,
          isReadByOther: true,
        },
        {
          from: 'customer',
          text: 'Then above the changing table it goes. Cream and dusty rose, please.',
          minutesAgo: 23 * day + 700,
          isReadByOther: true,
        },
        {
          from: 'owner',
          text: 'Posted this morning, with a little card for the niece. It should be with you on Wednesday.',
          minutesAgo: 20 * day + 300,
          isReadByOther: true,
        },
        {
          from: 'customer',
          text: 'It is here and it is so much softer than I thought. Thank you!',
          minutesAgo: 18 * day + 200,
          isReadByOther: true,
        },
        {
          from: 'owner',
          text: 'That makes my week. I close this order now; write any time for the next one.',
          minutesAgo: 18 * day + 150,
          isReadByOther: true,
        },
      ],
    },
  },
]

export const testimonials: DemoTestimonial[] = [
  {
    id: 'testimonial-ingrid',
    writerName: 'Ingrid Solberg',
    writerEmail: 'ingrid@example.com',
    text: 'The dream catcher hangs above the changing table and my niece talks to it. I had expected something stiff, and then it was soft as a cat. The little card made my sister cry, in a good way.',
    items: [{ itemId: 'quiet-night-dream-catcher', salePriceCents: 3800 }],
    isValidated: true,
    isShownOnPage: true,
  },
  {
    id: 'testimonial-mateo',
    writerName: 'Mateo Rivera',
    writerEmail: 'mateo@example.com',
    text: 'I wrote at nine in the evening with a question about coasters and had an honest answer before ten. My key chain has been through a summer of boats already and looks as on the first day.',
    items: [{ itemId: 'captains-tassel-key-chain', salePriceCents: 800 }],
    isValidated: true,
    isShownOnPage: true,
  },
  {
    id: 'testimonial-amara',
    writerName: 'Amara Okafor',
    writerEmail: 'amara@example.com',
    text: 'Our living room echoed for three years. Now the Sunday Layers hang over the sofa and guests touch it before they say hello. It came with a photograph of the half-finished piece on the rack, which I have kept.',
    items: [{ itemId: 'sunday-layers-wall-hanging', salePriceCents: 14000 }],
    isValidated: true,
    isShownOnPage: true,
  },
  {
    id: 'testimonial-jonas',
    writerName: 'Jonas Lindqvist',
    writerEmail: 'jonas@example.com',
    text: 'I bought one plant hanger. Then I bought plants to deserve it. There are four now, and the fern has never looked better.',
    items: [
      { itemId: 'bathroom-fern-hanger', salePriceCents: 3600 },
      { itemId: 'morning-light-plant-hanger', salePriceCents: 3400 },
    ],
    isValidated: true,
    isShownOnPage: true,
  },
  {
    id: 'testimonial-yuki',
    writerName: 'Yuki Tanaka',
    writerEmail: 'yuki@example.com',
    text: 'The net bag carried eleven oranges, a loaf and a bottle up four floors and did not stretch. At the market people ask me where it is from. Now they can read it here.',
    items: [{ itemId: 'market-day-net-bag', salePriceCents: 3800 }],
    isValidated: true,
    isShownOnPage: true,
  },
  {
    id: 'testimonial-rosa',
    writerName: 'Rosa Marchetti',
    writerEmail: 'rosa@example.com',
    text: 'I wore the fan earrings to my own wedding, sage green, made to match the ribbons. They weigh nothing and they are in every photograph. The tassel garland hung over the cake.',
    items: [
      { itemId: 'little-fan-earrings', salePriceCents: 1800 },
      { itemId: 'parade-tassel-garland', salePriceCents: 3000 },
    ],
    isValidated: true,
    isShownOnPage: true,
  },
  {
    id: 'testimonial-henry',
    writerName: 'Henry Boateng',
    writerEmail: 'henry@example.com',
    text: 'The rainbow came two days before the birthday and it was the only present that was not put down again. Could you add a picture of the back to the page? Otherwise five stars from both of us.',
    items: [{ itemId: 'after-rain-rainbow', salePriceCents: 4400 }],
    isValidated: false,
    isShownOnPage: false,
  },
]
