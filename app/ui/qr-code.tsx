/** QR codes are black on white in both themes, because scanners need these colors. */

/** `path` is an SVG path in a square with sides of `size` modules, and the border is part of the square. */
export type QrDrawing = { size: number; path: string }

type Props = { drawing: QrDrawing; label: string; width: number; className?: string | undefined }

export function QrCode({ drawing: { size, path }, label, width, className }: Props) {
  return (
    <svg
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      width={width}
      height={width}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
