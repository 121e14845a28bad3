import type { SVGProps } from 'react'
import sprite from './icons.svg?no-inline'

type IconProps = SVGProps<SVGSVGElement> & {
  size?: number
}

/** The other icons, which only the owner sees, are in owner-icons.tsx. */
export const icon = (id: string) =>
  function Icon({ size = 24, ...props }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        fill="none"
        aria-hidden="true"
        {...props}
      >
        <use href={`${sprite}#${id}`} />
      </svg>
    )
  }

export const ArrowDown = icon('arrow-down')
export const ArrowUp = icon('arrow-up')
export const AtSign = icon('at-sign')
export const Bell = icon('bell')
export const Camera = icon('camera')
export const Check = icon('check')
export const CheckCheck = icon('check-check')
export const ChevronDown = icon('chevron-down')
export const ChevronLeft = icon('chevron-left')
export const ChevronRight = icon('chevron-right')
export const CircleCheck = icon('circle-check')
export const CircleDashed = icon('circle-dashed')
export const CloudOff = icon('cloud-off')
export const Copy = icon('copy')
export const Eye = icon('eye')
export const EyeOff = icon('eye-off')
export const Facebook = icon('facebook')
export const Heart = icon('heart')
export const Image = icon('image')
export const ImagePlus = icon('image-plus')
export const Images = icon('images')
export const Instagram = icon('instagram')
export const LaptopMinimal = icon('laptop-minimal')
export const LogOut = icon('log-out')
export const Mail = icon('mail')
export const MapPin = icon('map-pin')
export const Menu = icon('menu')
export const MessageCircle = icon('message-circle')
export const Moon = icon('moon')
export const Package = icon('package')
export const Pause = icon('pause')
export const Phone = icon('phone')
export const Play = icon('play')
export const Printer = icon('printer')
export const Search = icon('search')
export const SendHorizontal = icon('send-horizontal')
export const ShieldCheck = icon('shield-check')
export const Smartphone = icon('smartphone')
export const Store = icon('store')
export const Sun = icon('sun')
export const UserPlus = icon('user-plus')
export const UserRound = icon('user-round')
export const UserRoundPlus = icon('user-round-plus')
export const X = icon('x')
