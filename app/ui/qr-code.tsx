export type QrDrawing = { size: number; path: string }

type QrCodeProps = {
  drawing: QrDrawing
  label: string
  width: number
  className?: string
}

export function QrCode({ drawing: { size, path }, label, width, className }: QrCodeProps) {
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
      {/* Scanners need black on white in both themes. */}
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
