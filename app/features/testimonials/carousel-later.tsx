/** The testimonies: their carousel's program comes after the page. */
import { isLedHere, later } from '#app/ui/later.tsx'
import card from './testimony-card.module.css'
import carousel from './testimony-carousel.module.css'

export const { Later: TestimonyCarousel, ready } = later(
  async () => (await import('./testimony-carousel.tsx')).TestimonyCarousel,
  <div className={`${carousel.carousel} ${card.card}`} />,
)
if (isLedHere()) await ready()
