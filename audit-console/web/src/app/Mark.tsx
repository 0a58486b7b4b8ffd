/** The sign of the product. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
      <rect width="32" height="32" rx="8" fill="#364fc7" />
      <path
        d="M9 9.5 16 23l7-13.5"
        fill="none"
        stroke="#fff"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M12.4 9.5h7.2" stroke="#91a7ff" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  )
}
