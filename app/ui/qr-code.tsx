/** QR codes are black on white in both themes, because scanners need these colors. */

/** `path` is the SVG path of the black squares. `size` is the number of squares on each side, including the white border. */
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
      <path
        fill="#fff"
        d={`M0 0h${size}v${size}H0z`}
      />
      <path
        fill="#000"
        d={path}
      />
    </svg>
  )
}
