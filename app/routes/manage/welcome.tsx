export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Welcome</h1>
    </main>
  )
}
