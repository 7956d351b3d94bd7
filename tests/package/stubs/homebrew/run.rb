# What brew does with a formula: run.rb FORMULA ARCHIVE PREFIX. Its dependencies are the machine's.
require "digest"
require "pathname"
require "tmpdir"

class Formula
  class << self
    attr_reader :said, :tests

    %i[desc homepage url sha256 license].each do |name|
      define_method(name) { |text| (@said ||= {})[name] = text }
    end

    def depends_on(what)
      ((@said ||= {})[:depends_on] ||= []) << what
    end

    def test(&block)
      @tests = block
    end

    def inherited(formula)
      super
      (@formulas ||= []) << formula
    end

    attr_reader :formulas
  end

  attr_reader :prefix, :testpath

  def initialize(prefix, testpath)
    @prefix, @testpath = Pathname(prefix), Pathname(testpath)
  end

  def bin = prefix/"bin"
  def lib = prefix/"lib"
  def version = self.class.said[:url][/-(\d+\.\d+\.\d+)\.tar/, 1]

  def std_cmake_args
    ["-DCMAKE_INSTALL_PREFIX=#{prefix}", "-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_BUILD_TYPE=Release",
     "-DCMAKE_FIND_FRAMEWORK=LAST", "-DBUILD_TESTING=OFF", "-Wno-dev"]
  end

  def system(*command)
    Kernel.system(*command.map(&:to_s)) || raise("failed: #{command.join(" ")}")
  end

  def shell_output(command)
    out = `#{command}`
    raise "failed: #{command}" unless $?.success?
    out
  end

  def assert_equal(expected, found)
    raise "expected #{expected.inspect}, found #{found.inspect}" unless expected == found
  end
end

def ENV.cc = "cc"

class Pathname
  def write(text) = File.write(to_s, text)
end

formula_file, archive, prefix = ARGV
load formula_file
formula = Formula.formulas.fetch(0)
missing = %i[desc homepage url sha256 license depends_on] - formula.said.keys
raise "the formula lacks #{missing.join(", ")}" unless missing.empty?
raise "desc is too long, or begins with an article" if formula.said[:desc].length > 80 || formula.said[:desc] =~ /\A(an?|the) /i
raise "the sum is not the archive's" unless Digest::SHA256.file(archive).hexdigest == formula.said[:sha256]
Dir.mktmpdir do |folder|
  Kernel.system("tar", "-xf", archive, "--strip-components=1", "-C", folder) || raise("tar")
  made = formula.new(prefix, folder)
  Dir.chdir(folder) { made.install }
  Dir.mktmpdir { |t| Dir.chdir(t) { formula.new(prefix, t).instance_eval(&formula.tests) } }
end
