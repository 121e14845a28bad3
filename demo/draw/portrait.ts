// Friendly simple faces for customers, writers of testimonials and the owner, drawn as SVG from a seed.
import sharp from 'sharp'
import { seeded, type Random } from './random.ts'
import { mixed } from './tone.ts'

const skins = ['#f3cfb3', '#e8b891', '#d39a6c', '#b57a4e', '#8d5a3a', '#6b4230'] as const
const hairs = ['#2d211c', '#4a3022', '#7a4a28', '#b5793c', '#d8ae68', '#8c8580', '#9c4a2a'] as const
const walls = ['#dcc0aa', '#c3c9b6', '#e4d3b4', '#c9d3d6', '#dfc4c0', '#d6cbe0'] as const
const clothes = ['#b4532f', '#5e7350', '#3a4e78', '#85607d', '#478f8f', '#c48f34', '#8d554d'] as const

type Face = {
  hair: string
  skin: string
  style: Style
  hasBeard: boolean
  hasGlasses: boolean
  shirt: string
  wall: string
  hasEarrings: boolean
}
type Style = 'bun' | 'long' | 'short' | 'curls' | 'bob' | 'scarf'

/** Seeds of the demo's own people have looks that suit them; all others are left to chance. */
const known: Record<string, Partial<Face>> = {
  owner: {
    hair: '#7a4a28',
    skin: '#e8b891',
    style: 'bun',
    hasBeard: false,
    hasGlasses: false,
    shirt: '#b4532f',
    wall: '#e4d3b4',
    hasEarrings: true,
  },
  clara: { hair: '#9c4a2a', skin: '#f3cfb3', style: 'bob', hasBeard: false, hasGlasses: true },
  mateo: { hair: '#2d211c', skin: '#d39a6c', style: 'short', hasBeard: true, hasGlasses: false, hasEarrings: false },
  ingrid: { hair: '#d8ae68', skin: '#f3cfb3', style: 'long', hasBeard: false, hasGlasses: false },
  'testimonial-ingrid': { hair: '#d8ae68', skin: '#f3cfb3', style: 'long', hasBeard: false, hasGlasses: false },
  'testimonial-mateo': { hair: '#2d211c', skin: '#d39a6c', style: 'short', hasBeard: true, hasGlasses: false, hasEarrings: false },
  'testimonial-amara': {
    hair: '#2d211c',
    skin: '#6b4230',
    style: 'scarf',
    hasBeard: false,
    hasEarrings: true,
    shirt: '#c48f34',
    wall: '#dcc0aa',
  },
  'testimonial-jonas': { hair: '#b5793c', skin: '#f3cfb3', style: 'short', hasBeard: true, hasGlasses: true, hasEarrings: false },
  'testimonial-yuki': { hair: '#2d211c', skin: '#f3cfb3', style: 'bob', hasBeard: false, hasGlasses: false },
  'testimonial-rosa': { hair: '#4a3022', skin: '#e8b891', style: 'curls', hasBeard: false, hasGlasses: false, hasEarrings: true },
  'testimonial-henry': { hair: '#8c8580', skin: '#8d5a3a', style: 'short', hasBeard: true, hasGlasses: true, hasEarrings: false },
}

function look(seed: string, random: Random): Face {
  const chosen: Face = {
    hair: random.pick(hairs),
    skin: random.pick(skins),
    style: random.pick(['bun', 'long', 'short', 'curls', 'bob'] as const),
    hasBeard: false,
    hasGlasses: random.next() < 0.3,
    shirt: random.pick(clothes),
    wall: random.pick(walls),
    hasEarrings: random.next() < 0.5,
  }
  // People who wrote a testimonial are the same people as the customers of that name.
  const alias = known[seed.replace('testimonial-', '')] ?? known[seed]
  return { ...chosen, ...known[seed], ...alias }
}

const back: Record<Style, (hair: string) => string> = {
  bun: (hair) =>
    `<circle cx="200" cy="74" r="42" fill="${mixed(hair, '#000000', 0.12)}"/><path d="M168 62 Q200 44 232 62 M166 82 Q200 66 234 82" stroke="${mixed(hair, '#ffffff', 0.2)}" stroke-width="4" fill="none" opacity=".6"/>`,
  long: (hair) =>
    `<path d="M104 190 Q100 84 200 84 Q300 84 296 190 Q300 280 318 330 Q200 372 82 330 Q100 280 104 190Z" fill="${mixed(hair, '#000000', 0.14)}"/>`,
  short: () => '',
  curls: (hair) =>
    Array.from(
      { length: 17 },
      (_, i) =>
        `<circle cx="${200 + 108 * Math.cos((i / 16) * Math.PI * 1.3 - Math.PI * 1.15)}" cy="${196 + 112 * Math.sin((i / 16) * Math.PI * 1.3 - Math.PI * 1.15)}" r="40" fill="${mixed(hair, '#000000', i % 2 ? 0.16 : 0.06)}"/>`,
    ).join(''),
  bob: (hair) =>
    `<path d="M106 190 Q100 84 200 84 Q300 84 294 190 L300 268 Q250 292 200 292 Q150 292 100 268Z" fill="${mixed(hair, '#000000', 0.14)}"/>`,
  scarf: () => '',
}

const front: Record<Style, (hair: string) => string> = {
  bun: (hair) => `<path d="M116 196 Q112 94 200 94 Q288 94 284 196 Q272 142 220 124 Q160 132 116 196Z" fill="${hair}"/>`,
  long: (hair) => `<path d="M112 216 Q104 92 200 90 Q296 92 288 216 Q276 150 206 120 Q134 146 112 216Z" fill="${hair}"/>`,
  short: (hair) => `<path d="M118 186 Q106 92 204 88 Q300 90 282 186 Q276 150 250 132 Q196 146 148 130 Q124 150 118 186Z" fill="${hair}"/>`,
  curls: (hair) =>
    Array.from(
      { length: 7 },
      (_, i) =>
        `<circle cx="${132 + i * 23}" cy="${118 - 16 * Math.sin((i / 6) * Math.PI)}" r="27" fill="${mixed(hair, '#ffffff', i % 2 ? 0.06 : 0)}"/>`,
    ).join(''),
  bob: (hair) => `<path d="M112 214 Q104 90 200 90 Q296 90 288 214 L276 160 Q200 138 124 160Z" fill="${hair}"/>`,
  scarf: () =>
    `<path d="M112 170 Q112 78 200 70 Q292 78 288 170 Q200 112 112 170Z" fill="#b4532f"/><path d="M128 132 Q200 82 274 130" stroke="#dfa63c" stroke-width="9" fill="none"/><path d="M116 158 Q200 100 286 158" stroke="#f5ead6" stroke-width="5" fill="none"/><circle cx="226" cy="66" r="30" fill="#9c4427"/><circle cx="188" cy="58" r="26" fill="#c8643c"/>`,
}

export function portraitSvg(seed: string): string {
  const face = look(seed, seeded(seed))
  const { skin, hair, wall, shirt } = face
  const [shade, blush, ink] = [mixed(skin, '#5a2a16', 0.28), mixed(skin, '#c8503c', 0.4), '#33221a']
  const hasEars = face.style !== 'long' && face.style !== 'bob'
  const ears = `<ellipse cx="116" cy="214" rx="15" ry="22" fill="${shade}"/><ellipse cx="284" cy="214" rx="15" ry="22" fill="${shade}"/>`
  const beard = `<path d="M124 214 Q128 312 200 318 Q272 312 276 214 Q264 250 232 246 Q200 236 168 246 Q136 250 124 214Z" fill="${hair}"/>`
  const glasses = `<g fill="none" stroke="${ink}" stroke-width="5"><circle cx="164" cy="206" r="27"/><circle cx="236" cy="206" r="27"/><path d="M191 202 Q200 196 209 202"/></g>`
  const rings = `<g fill="#dcb663"><circle cx="113" cy="244" r="7"/><circle cx="287" cy="244" r="7"/></g><g stroke="#b4532f" stroke-width="4"><path d="M113 250 l-7 26 M113 250 v28 M113 250 l7 26 M287 250 l-7 26 M287 250 v28 M287 250 l7 26"/></g>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><defs><radialGradient id="w" cx=".35" cy=".3" r=".9"><stop offset="0" stop-color="${mixed(wall, '#ffffff', 0.45)}"/><stop offset="1" stop-color="${wall}"/></radialGradient>
<radialGradient id="s" cx=".4" cy=".35" r=".8"><stop offset="0" stop-color="${mixed(skin, '#ffffff', 0.18)}"/><stop offset=".7" stop-color="${skin}"/><stop offset="1" stop-color="${shade}"/></radialGradient></defs>
<rect width="400" height="400" fill="url(#w)"/>${back[face.style](hair)}
<path d="M52 400 Q60 322 150 306 H250 Q340 322 348 400Z" fill="${shirt}"/><path d="M164 262 V308 Q200 344 236 308 V262Z" fill="${shade}"/><path d="M150 306 Q200 362 250 306 L258 310 Q200 384 142 310Z" fill="${mixed(shirt, '#ffffff', 0.3)}"/>
${hasEars ? ears : ''}
<path d="M118 190 Q118 104 200 104 Q282 104 282 190 Q282 296 200 304 Q118 296 118 190Z" fill="url(#s)"/>${face.hasBeard ? beard : ''}
<circle cx="146" cy="242" r="19" fill="${blush}" opacity=".38"/><circle cx="254" cy="242" r="19" fill="${blush}" opacity=".38"/>
<g fill="${ink}"><ellipse cx="165" cy="206" rx="8" ry="10"/><ellipse cx="235" cy="206" rx="8" ry="10"/></g><g fill="#fff"><circle cx="168" cy="202" r="2.8"/><circle cx="238" cy="202" r="2.8"/></g>
<g fill="none" stroke-linecap="round"><path d="M146 180 Q164 168 182 178 M218 178 Q236 168 254 180" stroke="${mixed(hair, ink, 0.4)}" stroke-width="7"/><path d="M200 212 Q190 236 203 240" stroke="${shade}" stroke-width="6"/></g>
<path d="M168 262 Q200 ${face.hasBeard ? 288 : 296} 232 262 Q200 272 168 262Z" fill="#fff" stroke="${mixed(skin, '#8a2f22', 0.65)}" stroke-width="5" stroke-linejoin="round"/>
${front[face.style](hair)}${face.hasGlasses ? glasses : ''}${face.hasEarrings && hasEars ? rings : ''}</svg>`
}

export function portrait(seed: string): Promise<Buffer> {
  return sharp(Buffer.from(portraitSvg(seed)))
    .webp({ quality: 90, effort: 3 })
    .toBuffer()
}
