// Rooms the pieces are photographed in: a wall with a sofa, a sideboard, a bed or a window beside them.
import type { Design } from '../record.ts'
import type { Backdrop } from './backdrop.ts'
import { svgLayer, type Camera, type Layer } from './shape.ts'

type Room = { backdrop: Backdrop; camera: Camera; layers: Layer[] }

const floor = `<defs><linearGradient id="floor" x2="0" y2="1"><stop offset="0" stop-color="#a97f57"/><stop offset="1" stop-color="#8a6342"/></linearGradient></defs>`

export const vase = (x: number, y: number, color: string, stems = true) =>
  `<g transform="translate(${x} ${y})">${
    stems
      ? `<g stroke="#8a7a4e" stroke-width="4" fill="none"><path d="M0 -150 Q-20 -260 -70 -330"/><path d="M2 -150 Q10 -280 -6 -370"/><path d="M4 -150 Q40 -250 70 -310"/></g>
<g fill="#d8bd8a"><ellipse cx="-76" cy="-350" rx="17" ry="46" transform="rotate(-22 -76 -350)"/><ellipse cx="-6" cy="-396" rx="18" ry="50"/><ellipse cx="78" cy="-330" rx="17" ry="46" transform="rotate(24 78 -330)"/></g>`
      : ''
  }
<path d="M-26 -160 H26 C24 -120 66 -104 66 -54 Q66 0 30 0 H-30 Q-66 0 -66 -54 C-66 -104 -24 -120 -26 -160Z" fill="${color}"/><path d="M10 -160 H26 C24 -120 66 -104 66 -54 Q66 0 30 0 H6 C40 -30 30 -100 10 -160Z" fill="#2a160b" opacity=".24"/><path d="M-40 -70 Q-42 -94 -24 -112" stroke="#fff" stroke-width="7" opacity=".4" fill="none" stroke-linecap="round"/></g>`

const books = (x: number, y: number) =>
  [
    ['#9c5b3f', 190],
    ['#6f8a72', 170],
    ['#d9b36a', 180],
  ]
    .map(
      ([color, width], i) =>
        `<rect x="${x + i * 6}" y="${y - 34 * (i + 1)}" width="${width}" height="32" rx="4" fill="${color}"/><rect x="${x + i * 6 + 10}" y="${y - 34 * (i + 1)}" width="9" height="32" fill="#f3e6cf" opacity=".5"/>`,
    )
    .join('')

const sideboard = `${floor}<rect y="1290" width="1400" height="110" fill="url(#floor)"/><rect y="1268" width="1400" height="24" fill="#efe7da"/>
<rect x="150" y="1010" width="1100" height="300" rx="8" fill="#a8764c"/><rect x="150" y="1010" width="1100" height="26" fill="#c08c5e"/><g fill="#9a6a43" stroke="#7d5233" stroke-width="4"><rect x="180" y="1056" width="335" height="225"/><rect x="533" y="1056" width="335" height="225"/><rect x="886" y="1056" width="335" height="225"/></g>
<g fill="#e0bf7e"><circle cx="486" cy="1168" r="11"/><circle cx="700" cy="1168" r="11"/><circle cx="916" cy="1168" r="11"/></g><path d="M210 1310 l-16 60 M1190 1310 l16 60" stroke="#6b4529" stroke-width="22"/>`

const sofa = `${floor}<rect y="1300" width="1400" height="100" fill="url(#floor)"/><rect y="1280" width="1400" height="22" fill="#efe7da"/>
<defs><linearGradient id="sofa" x2="0" y2="1"><stop offset="0" stop-color="#8e9d86"/><stop offset="1" stop-color="#6c7c66"/></linearGradient></defs>
<rect x="120" y="960" width="1160" height="330" rx="60" fill="url(#sofa)"/><rect x="200" y="1120" width="500" height="150" rx="36" fill="#97a68f"/><rect x="704" y="1120" width="500" height="150" rx="36" fill="#92a18a"/>
<rect x="90" y="1060" width="140" height="240" rx="56" fill="#7f8f78"/><rect x="1170" y="1060" width="140" height="240" rx="56" fill="#73836c"/><path d="M220 1270 H1180" stroke="#4e5c4a" stroke-width="8" opacity=".5"/>
<g transform="rotate(-9 340 1040)"><rect x="250" y="960" width="190" height="180" rx="34" fill="#d9a58c"/><path d="M262 990 Q345 1010 428 990 M262 1110 Q345 1090 428 1110" stroke="#b97f66" stroke-width="5" fill="none"/></g><g transform="rotate(8 1060 1050)"><rect x="960" y="965" width="190" height="180" rx="34" fill="#efe4d0"/><path d="M990 975 V1135 M1055 970 V1140 M1120 975 V1135" stroke="#d3bf9c" stroke-width="6"/></g>`

const bed = `<rect x="60" y="930" width="1280" height="500" rx="40" fill="#b98e66"/><rect x="90" y="960" width="1220" height="440" rx="26" fill="#c89d73"/>
<g><path d="M180 1120 Q190 1030 300 1040 H600 Q680 1036 676 1130 Q680 1230 600 1226 H270 Q170 1224 180 1120Z" fill="#f6f0e6"/><path d="M724 1130 Q720 1036 800 1040 H1100 Q1210 1030 1220 1120 Q1230 1224 1130 1226 H800 Q720 1230 724 1130Z" fill="#f1eadd"/><path d="M230 1080 Q330 1110 420 1070 M980 1085 Q1080 1110 1170 1075" stroke="#d8cbb6" stroke-width="7" fill="none"/></g>
<path d="M40 1260 Q700 1180 1360 1260 V1400 H40Z" fill="#c8836a"/><path d="M40 1260 Q700 1180 1360 1260 V1300 Q700 1222 40 1300Z" fill="#dc9d84"/>`

const window = `<defs><linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#bcd9e6"/><stop offset="1" stop-color="#f2efdf"/></linearGradient></defs>
<rect x="150" y="-40" width="980" height="1130" rx="8" fill="#f7f2e8"/><rect x="190" y="-40" width="900" height="1085" fill="url(#sky)"/><circle cx="930" cy="250" r="90" fill="#fff8e2" opacity=".9"/>
<path d="M190 840 Q360 740 560 810 T1090 770 V1045 H190Z" fill="#cfdac0"/><path d="M190 930 Q420 850 640 920 T1090 900 V1045 H190Z" fill="#b5c8a6"/><path d="M640 -40 V1045 M190 420 H1090" stroke="#f7f2e8" stroke-width="30"/><path d="M656 -40 V1045" stroke="#cbbfab" stroke-width="4"/>
<path d="M60 1085 H1220 V1130 H60Z" fill="#efe6d7"/><path d="M60 1126 H1220 V1140 H60Z" fill="#bfae95"/>
<g transform="translate(0 2)"><path d="M-40 -60 H250 Q230 500 120 1280 H-40Z" fill="#f3eadb"/><path d="M40 -60 Q50 560 20 1280 M120 -60 Q120 560 70 1280 M190 -60 Q180 500 110 1270" stroke="#d9cab2" stroke-width="10" fill="none"/></g>`

const rooms: Partial<Record<Design['kind'], { markup: string; camera: Camera; ground: Backdrop }>> = {
  'wall-hanging': {
    markup: sofa,
    camera: { scale: 0.64, x: 700, y: 1010, turn: 0 },
    ground: { ground: 'plaster', color: '#ddd3c4', window: true },
  },
  garland: { markup: bed, camera: { scale: 0.86, x: 700, y: 900, turn: 0 }, ground: { ground: 'plaster', color: '#c9cdbd', window: true } },
  'dream-catcher': {
    markup: sideboard + vase(300, 1010, '#b86b4b') + books(920, 1010),
    camera: { scale: 0.66, x: 640, y: 1040, turn: 0 },
    ground: { ground: 'plaster', color: '#e0d2c2', window: true },
  },
  'plant-hanger': { markup: window, camera: { scale: 0.98, x: 640, y: 690, turn: 0 }, ground: { ground: 'plaster', color: '#e0d3bf' } },
  bag: {
    markup: `<rect x="120" y="120" width="1160" height="70" rx="10" fill="#b98a5d"/><rect x="120" y="120" width="1160" height="16" fill="#d0a274"/><g fill="#7b5233"><circle cx="300" cy="156" r="24"/><circle cx="700" cy="156" r="24"/><circle cx="1100" cy="156" r="24"/></g><g><path d="M1100 150 L1100 220" stroke="#8a6a3c" stroke-width="6"/><ellipse cx="1100" cy="350" rx="172" ry="176" fill="#d9b878"/><ellipse cx="1100" cy="350" rx="140" ry="144" fill="none" stroke="#b8924f" stroke-width="5" opacity=".5"/><ellipse cx="1100" cy="350" rx="112" ry="114" fill="none" stroke="#b8924f" stroke-width="5" opacity=".5"/><circle cx="1100" cy="350" r="88" fill="#c5a05e"/><circle cx="1094" cy="342" r="74" fill="#dec084"/><circle cx="1100" cy="350" r="88" fill="none" stroke="#8a4b32" stroke-width="16"/></g>`,
    camera: { scale: 0.9, x: 740, y: 846, turn: 0 },
    ground: { ground: 'plaster', color: '#cfd3c4', window: true },
  },
}

export function room(kind: Design['kind'], piece: Layer[]): Room {
  const chosen = rooms[kind]
  if (!chosen) return { backdrop: { ground: 'linen', color: '#e8dece' }, camera: { scale: 1, x: 700, y: 700, turn: 0 }, layers: piece }
  return { backdrop: chosen.ground, camera: chosen.camera, layers: [svgLayer(chosen.markup, 22, true), ...piece] }
}
