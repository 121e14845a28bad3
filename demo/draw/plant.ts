// Potted plants as SVG: leaves behind the cords, the pot, and the leaves that spill over the rim. The rim's middle is at (0, 0).
import type { Random } from './random.ts'
import { mixed } from './tone.ts'
import type { Design } from '../record.ts'

export type Plant = Extract<Design, { kind: 'plant-hanger' }>['plant']

export const potHeight = 250

export function pot(color: string): string {
  const [dark, bright] = [mixed(color, '#2b1810', 0.5), mixed(color, '#fff6e8', 0.38)]
  return `<defs><linearGradient id="pot"><stop offset="0" stop-color="${mixed(color, '#2b1810', 0.22)}"/><stop offset=".28" stop-color="${bright}"/>
<stop offset=".62" stop-color="${color}"/><stop offset="1" stop-color="${dark}"/></linearGradient></defs>
<path d="M-150 30 L-112 225 Q-108 ${potHeight} -80 ${potHeight} L80 ${potHeight} Q108 ${potHeight} 112 225 L150 30Z" fill="url(#pot)"/>
<path d="M-148 44 L148 44 L143 70 L-143 70Z" fill="#20110a" opacity=".2"/>
<rect x="-166" y="-20" width="332" height="66" rx="12" fill="url(#pot)"/><rect x="-166" y="-20" width="332" height="9" rx="4" fill="#fff" opacity=".22"/>`
}

function blade(x: number, height: number, lean: number, half: number, color: string): string {
  const tip = x + lean
  const edge = mixed(color, '#e4d98a', 0.75)
  const path = (h: number) =>
    `M${x - h * 0.6} 10 C${x - h * 1.5} ${-height * 0.4} ${tip - h} ${-height * 0.75} ${tip} ${-height} C${tip + h} ${-height * 0.7} ${x + h * 1.5} ${-height * 0.35} ${x + h * 0.6} 10Z`
  const bands = Array.from({ length: 7 }, (_, i) => {
    const y = -height * (0.12 + i * 0.11)
    const cx = x + lean * (-y / height) ** 1.4
    return `<path d="M${cx - half * 0.62} ${y} q${half * 0.3} -9 ${half * 0.6} 0 t${half * 0.6} 0" stroke="${mixed(color, '#dfe8c0', 0.4)}" stroke-width="5" fill="none" opacity=".55"/>`
  }).join('')
  return `<path d="${path(half)}" fill="${edge}"/><path d="${path(half * 0.74)}" fill="${color}"/>${bands}<path d="M${x} 8 Q${x + lean * 0.25} ${-height * 0.5} ${tip} ${-height * 0.93}" stroke="#15301f" opacity=".28" stroke-width="5" fill="none"/>`
}

/** A heart-shaped leaf of a climber with its tip at the lower end. */
function heart(x: number, y: number, size: number, turn: number, color: string): string {
  const [light, dark] = [mixed(color, '#eef0b8', 0.35), mixed(color, '#12301c', 0.35)]
  return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(1)}) scale(${(size / 50).toFixed(3)})"><path d="M0 8 C-12 -16 -44 -8 -40 20 C-37 44 -14 58 0 84 C14 58 37 44 40 20 C44 -8 12 -16 0 8Z" fill="${color}"/>
<path d="M0 8 C-12 -16 -44 -8 -40 20 C-37 44 -14 58 0 84Z" fill="${light}" opacity=".55"/><path d="M0 8 V78 M0 26 L-24 16 M0 26 L24 16 M0 44 L-24 38 M0 44 L24 38" stroke="${dark}" stroke-width="2.2" fill="none" opacity=".6"/></g>`
}

function frond(x: number, reach: number, rise: number, color: string, random: Random): string {
  const parts: string[] = []
  const [ex, ey] = [x + reach, -rise + Math.abs(reach) * 0.75]
  const [mx, my] = [x + reach * 0.5, -rise * 1.15]
  for (let i = 1; i <= 26; i++) {
    const t = i / 27
    const px = (1 - t) ** 2 * x + 2 * t * (1 - t) * mx + t * t * ex
    const py = (1 - t) ** 2 * 5 + 2 * t * (1 - t) * my + t * t * ey
    const [dx, dy] = [2 * (1 - t) * (mx - x) + 2 * t * (ex - mx), 2 * (1 - t) * (my - 5) + 2 * t * (ey - my)]
    const angle = (Math.atan2(dy, dx) * 180) / Math.PI
    const size = (50 * Math.sin(Math.PI * (0.12 + t * 0.86)) + 8) * random.between(0.92, 1.05)
    for (const side of [-1, 1])
      parts.push(
        `<path transform="translate(${px.toFixed(1)} ${py.toFixed(1)}) rotate(${(angle + side * 62).toFixed(1)})" d="M0 0 Q${(size * 0.5).toFixed(1)} -8 ${size.toFixed(1)} 0 Q${(size * 0.5).toFixed(1)} 7 0 0Z" fill="${mixed(color, side < 0 ? '#dbe59a' : '#173622', 0.16)}"/>`,
      )
  }
  return `<path d="M${x} 5 Q${mx} ${my} ${ex} ${ey}" stroke="${mixed(color, '#3b2c12', 0.4)}" stroke-width="4" fill="none"/>${parts.join('')}`
}

function pearls(x: number, length: number, random: Random): string {
  const parts = [`<path d="M${x * 0.8} -14 Q${x * 1.12} 0 ${x} ${length}" stroke="#6f8a5a" stroke-width="3" fill="none"/>`]
  for (let y = -16; y < length; y += 17) {
    const sway = random.between(-10, 10)
    const color = mixed('#86a368', random.next() < 0.5 ? '#b9cd95' : '#4f7048', random.between(0.1, 0.5))
    parts.push(
      `<circle cx="${(x + sway).toFixed(1)}" cy="${y}" r="11" fill="${color}"/><circle cx="${(x + sway - 3).toFixed(1)}" cy="${y - 4}" r="3.4" fill="#f3f8df" opacity=".65"/>`,
    )
  }
  return parts.join('')
}

const greens = ['#4f8050', '#5f9159', '#3f6f49', '#6f9c58'] as const

export function leavesBehind(plant: Plant, random: Random): string {
  if (plant === 'snake-plant') {
    const blades: [number, number, number, number][] = [
      [-70, 300, -60, 30],
      [74, 280, 66, 28],
      [-30, 390, -34, 32],
      [40, 360, 30, 32],
      [0, 440, 6, 34],
      [-104, 210, -76, 24],
      [104, 190, 80, 24],
    ]
    return blades.map(([x, height, lean, half], i) => blade(x, height, lean, half, i % 2 ? '#3f6b47' : '#4a7a50')).join('')
  }
  if (plant === 'aloe') {
    const spikes: [number, number, number][] = [
      [-60, 150, -170],
      [60, 150, 170],
      [-40, 230, -130],
      [40, 230, 130],
      [-22, 290, -60],
      [22, 290, 60],
      [0, 320, 0],
    ]
    return spikes
      .map(
        ([x, height, lean], i) =>
          `<path d="M${x - 26} 12 Q${x + lean * 0.25 - 24} ${-height * 0.5} ${x + lean} ${-height} Q${x + lean * 0.45 + 24} ${-height * 0.45} ${x + 26} 12Z" fill="${i % 2 ? '#8fb093' : '#7aa084'}"/><path d="M${x - 4} 8 Q${x + lean * 0.33} ${-height * 0.5} ${x + lean} ${-height} Q${x + lean * 0.4 + 12} ${-height * 0.45} ${x + 22} 12Z" fill="#3f6654" opacity=".4"/>`,
      )
      .join('')
  }
  if (plant === 'fern')
    return [-330, 330, -250, 250, -150, 150, -60, 70]
      .map((reach, i) => frond(reach * 0.12, reach * 0.92, 150 + (330 - Math.abs(reach)) * 0.42, greens[i % 4]!, random))
      .join('')
  if (plant === 'pearls')
    return `<ellipse cx="0" cy="-16" rx="146" ry="30" fill="#6d8b55"/>${Array.from({ length: 60 }, () => `<circle cx="${random.between(-140, 140).toFixed(1)}" cy="${random.between(-46, -12).toFixed(1)}" r="12" fill="${mixed('#7d9b60', '#b4c98f', random.next())}"/>`).join('')}`
  return Array.from({ length: 22 }, (_, i) =>
    heart(
      random.between(-150, 150),
      random.between(-150, -30) - (i < 8 ? 40 : 0),
      random.between(48, 66),
      random.between(-150, 150),
      greens[i % 4]!,
    ),
  ).join('')
}

export function leavesBefore(plant: Plant, random: Random): string {
  if (plant === 'pearls')
    return [-146, -118, -84, -40, 30, 70, 112, 140, 152]
      .map((x, i) => pearls(x, [330, 470, 210, 150, 180, 250, 420, 520, 300][i]!, random))
      .join('')
  if (plant === 'fern')
    return [-250, 250, -130, 140].map((reach, i) => frond(reach * 0.4, reach * 0.62, 90 + i * 8, greens[(i + 1) % 4]!, random)).join('')
  if (plant !== 'pothos') return ''
  const vine = (x: number, length: number, sway: number) => {
    const leaves = Array.from({ length: Math.round(length / 50) }, (_, i) => {
      const t = (i + 0.6) / (length / 50)
      return heart(
        x + sway * t * t + (i % 2 ? 16 : -16),
        -20 + length * t,
        52 - t * 16,
        (i % 2 ? -38 : 38) + random.between(-10, 10),
        greens[(i + 1) % 4]!,
      )
    }).join('')
    return `<path d="M${x * 0.85} -20 Q${x} ${length * 0.4} ${x + sway} ${length}" stroke="#55733f" stroke-width="5" fill="none"/>${leaves}`
  }
  return vine(-138, 420, -60) + vine(146, 560, 50)
}
