class Mote < Formula
  desc "File transfers with curl's options in a fraction of its memory"
  homepage "https://mote.example.org"
  url "https://mote.example.org/releases/mote-0.9.0.tar.xz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build

  depends_on "brotli"
  depends_on "krb5"
  depends_on "libidn2"
  depends_on "libnghttp2"
  depends_on "libpsl"
  depends_on "libssh2"
  depends_on :linux
  depends_on "openssl@3"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args
    system "cmake", "--build", "build", "--target", "all", "drop-in"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"file").write "text\n"
    assert_equal "text\n", shell_output("#{bin}/mote -s file://#{testpath}/file")
    (testpath/"app.c").write <<~C
      #include <mote/mote.h>
      #include <stdio.h>
      int main(void) { return puts(mote_version()) < 0; }
    C
    flags = shell_output("pkg-config --cflags --libs #{lib}/pkgconfig/mote.pc").split
    system ENV.cc, "app.c", "-o", "app", *flags, "-Wl,-rpath,#{lib}"
    assert_equal version.to_s, shell_output("./app").strip
  end
end
