import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { useHydrated } from '#ui/redirect-field.tsx'
import css from './image-strip.module.css'

type ImageStripProps = {
  index: number
  onSwipe: (index: number) => void
  images: { id: string; view: ReactNode }[]
  isHeld?: boolean
}

export function ImageStrip({ index, onSwipe, images, isHeld = false }: ImageStripProps) {
  const strip = useRef<HTMLUListElement>(null)
  // While the row scrolls to this index, it does not select the images that it passes.
  const scrollTarget = useRef<number | null>(null)
  const isPlaced = useRef(false)
  // Only JavaScript can scroll the row, so the server puts the selected image first.
  const isHydrated = useHydrated()
  useLayoutEffect(() => {
    if (!strip.current || !isHydrated) return
    const visibleIndex = indexInView(strip.current)
    const isGliding = isPlaced.current && Math.abs(visibleIndex - index) === 1
    isPlaced.current = true
    if (visibleIndex === index && scrollTarget.current === null) return
    scrollTarget.current = index
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
      className={`list-none ${css.strip}`}
      data-held={isHeld || undefined}
      onPointerDown={clearScrollTarget}
      onWheel={clearScrollTarget}
      onScroll={({ currentTarget, target }) => {
        if (target !== currentTarget) return
        const visibleIndex = indexInView(currentTarget)
        if (visibleIndex === scrollTarget.current) clearScrollTarget()
        else if (scrollTarget.current === null && visibleIndex !== index && images[visibleIndex]) {
          onSwipe(visibleIndex)
        }
      }}
    >
      {images.map(({ id, view }, imageIndex) => (
        <li
          key={id}
          className={`min-w-0 relative ${css.slide}`}
          style={!isHydrated && imageIndex === index && index > 0 ? { order: -1 } : undefined}
        >
          {view}
        </li>
      ))}
    </ul>
  )
}

const indexInView = (strip: Element) => Math.round(strip.scrollLeft / strip.clientWidth) || 0

export function imageByKey(key: string, index: number, count: number) {
  const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: count - 1 }[key]
  return next === undefined ? null : Math.min(count - 1, Math.max(0, next))
}
