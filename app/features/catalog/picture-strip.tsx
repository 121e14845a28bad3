import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import css from './picture-strip.module.css'

type Props = {
  index: number
  onSwipe: (index: number) => void
  pictures: { id: string; view: ReactNode }[]
  isHeld?: boolean
}

const currentIndex = (strip: Element): number =>
  Math.round(strip.scrollLeft / strip.clientWidth) || 0

export function PictureStrip({ index, onSwipe, pictures, isHeld = false }: Props) {
  const strip = useRef<HTMLUListElement>(null)
  /** The index of the image to which the row is scrolling; null while the row is not scrolling. Images that the row passes are not selected. */
  const scrollTarget = useRef<number | null>(null)
  const isPlaced = useRef(false)
  // Only JavaScript can scroll to the selected image. Until hydration, the selected image is therefore the first image in the row.
  const isHydrated = useHydrated()
  useLayoutEffect(() => {
    if (!strip.current || !isHydrated) return
    const at = currentIndex(strip.current)
    const isGliding = isPlaced.current && Math.abs(at - index) === 1
    isPlaced.current = true
    if (at === index && scrollTarget.current === null) return
    scrollTarget.current = index
    // The row scrolls smoothly to a neighboring image if the CSS allows it, and jumps to an image that is further away.
    strip.current.scrollTo({
      left: index * strip.current.clientWidth,
      behavior: isGliding ? 'auto' : 'instant',
    })
  }, [index, isHydrated])
  const clearScrollTarget = () => {
    scrollTarget.current = null
  }
  return (
    <ul
      ref={strip}
      className={`bare-list ${css.strip}`}
      data-held={isHeld || undefined}
      onPointerDown={clearScrollTarget}
      onWheel={clearScrollTarget}
      onScroll={({ currentTarget, target }) => {
        if (target !== currentTarget) return
        const at = currentIndex(currentTarget)
        if (at === scrollTarget.current) scrollTarget.current = null
        else if (scrollTarget.current === null && at !== index && pictures[at]) onSwipe(at)
      }}
    >
      {pictures.map(({ id, view }, at) => (
        <li
          key={id}
          className={`slim anchor ${css.slide}`}
          style={!isHydrated && at === index && index > 0 ? { order: -1 } : undefined}
        >
          {view}
        </li>
      ))}
    </ul>
  )
}

export function pictureByKey(key: string, index: number, count: number): number | null {
  const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: count - 1 }[key]
  return next === undefined ? null : Math.min(count - 1, Math.max(0, next))
}
